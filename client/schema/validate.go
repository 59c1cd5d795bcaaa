package schema

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"mcptui/client/schema/conform"
)

// Limits of one validation. A schema whose branches multiply, or a huge value,
// is given up on rather than waited for.
const (
	maxSteps    = 40_000 // and twenty more for each part of the value
	maxTime     = 2 * time.Second
	maxProblems = 200
)

// validator checks JSON against one schema: formats are asserted, patterns
// have a time limit, references out of the schema are not fetched, and what
// is wrong in the schema is left out of account. It may be used from several
// goroutines; one validation runs at a time.
type validator struct {
	mu       sync.Mutex
	clean    *conform.Document
	state    *run
	cleaner  *cleaner
	broken   error           // the schema could not be compiled
	hopeless map[*value]bool // subschemas that take too long even for a small value
}

// errBudget is what the step counter panics with, since there is no other way
// to stop.
var errBudget = errors.New("too much to check")

// errTime is the same for time, which a busy machine uses up as well.
var errTime = fmt.Errorf("%w in time", errBudget)

// step counts the schemas that a value is judged by.
func (r *run) step() {
	r.steps++
	if r.steps > r.most {
		panic(errBudget)
	}
	if r.steps%256 == 0 && time.Now().After(r.deadline) {
		panic(errTime)
	}
}

func newValidator(s *source) *validator {
	state := &run{slow: map[string]bool{}}
	v := &validator{state: state, hopeless: map[*value]bool{}, cleaner: newCleaner(s)}
	v.clean = conform.New(v.cleaner.root(), conform.Options{Draft: s.draft, Pattern: engine(state), Step: state.step})
	return v
}

// judge returns the validator of the form's schema.
func (f *Form) judge() *validator {
	f.validatorOnce.Do(func() { f.validator = newValidator(f.source) })
	return f.validator
}

// Validate checks raw against the form's schema.
func (f *Form) Validate(raw []byte) []Problem {
	v, err := parse(raw)
	if err != nil {
		return []Problem{{Message: err.Error(), Kind: Unfinished}}
	}
	return f.judge().check(f.source.root, v, "")
}

// Validate checks a JSON value against a schema.
func Validate(schema, raw []byte) []Problem { return Parse(schema).Validate(raw) }

// compile returns the compiled subschema at a place.
func (v *validator) compile(place string) (*conform.Schema, error) {
	if v.broken != nil {
		return nil, v.broken
	}
	schema, err := v.clean.Schema(place)
	if err != nil {
		v.broken = fmt.Errorf("the schema cannot be used: %w", err)
		return nil, v.broken
	}
	return schema, nil
}

// check validates val against the subschema part; at is the path that problems
// are reported below.
func (v *validator) check(part, val *value, at string) []Problem {
	v.mu.Lock()
	defer v.mu.Unlock()
	schema, err := v.compile(v.cleaner.placeOf(part))
	if err != nil {
		return []Problem{{Path: at, Message: "not checked: " + err.Error(), Kind: Unchecked}}
	}
	const tooMuch = "not checked: the schema is too branching or the value too large"
	if v.hopeless[part] {
		return []Problem{{Path: at, Message: tooMuch, Kind: Unchecked}}
	}
	instance, problems := safe(val, at)
	size := val.size()
	*v.state = run{most: maxSteps + 20*size, deadline: time.Now().Add(maxTime), slow: map[string]bool{}}
	failures, stopped := validate(schema, instance)
	if stopped != nil {
		message := tooMuch
		if errors.Is(stopped, errBudget) {
			// With a small value it is the schema that is to blame.
			v.hopeless[part] = size < 1000 && !errors.Is(stopped, errTime)
		} else {
			message = "not checked: " + stopped.Error() // a fault of ours: it must not end the program
		}
		return append(problems, Problem{Path: at, Message: message, Kind: Unchecked})
	}
	e := explainer{at: at, problems: problems}
	e.all(failures)
	for text := range v.state.slow {
		e.add(nil, "pattern", Unchecked, "not checked: the pattern %s takes too long", clip(text))
	}
	return e.sorted(val)
}

func validate(schema *conform.Schema, instance any) (failures []*conform.Failure, stopped error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case error:
			stopped = p
		default:
			stopped = fmt.Errorf("%v", p)
		}
	}()
	return schema.Validate(instance), nil
}

// safe is val as package conform takes it. Numbers that exact arithmetic cannot
// handle are reported and stand as the nearest double.
func safe(val *value, at string) (any, []Problem) {
	var problems []Problem
	var walk func(v *value, path string) any
	walk = func(v *value, path string) any {
		switch v.kind {
		case '{':
			m := make(map[string]any, len(v.members))
			for _, e := range v.members {
				m[e.name] = walk(e.value, path+"/"+Escape(e.name))
			}
			return m
		case '[':
			a := make([]any, len(v.items))
			for i, e := range v.items {
				a[i] = walk(e, fmt.Sprintf("%s/%d", path, i))
			}
			return a
		case '0':
			text := string(v.raw)
			if len(text) < 18 && !strings.ContainsAny(text, "eE") || exact(text) != nil && checkNumber(text) == nil {
				return v.plain()
			}
			message := "a number this long or small is not checked"
			kind := Unchecked
			if err := checkNumber(text); err != nil {
				message, kind = err.Error(), Invalid
			}
			if len(problems) < maxProblems {
				problems = append(problems, Problem{Path: path, Message: message, Kind: kind})
			}
			if bytes.HasPrefix(v.raw, []byte("-")) {
				return -1e308
			}
			return 1e308
		}
		return v.plain()
	}
	return walk(val, at), problems
}

// fieldProblems checks v against the schemas of one field.
func (f *Form) fieldProblems(field *Field, v *value) []Problem {
	var problems []Problem
	for _, part := range field.checks {
		if part == f.source.root && len(field.checks) > 1 {
			continue
		}
		problems = append(problems, f.judge().check(part, v, "")...)
	}
	return problems
}

// variantProblems checks v against what sets one variant apart from the others.
func (f *Form) variantProblems(field *Field, v *value) []Problem {
	if len(field.checks) == 0 {
		return nil
	}
	return f.judge().check(field.checks[len(field.checks)-1], v, "")
}

// Check returns every reason why the draft should not be sent: unfinished
// text, and what breaks the schema.
func (d *Draft) Check() []Problem {
	raw, problems := d.JSON()
	return Merge(problems, d.Form.Validate(raw))
}

// Check returns the problems of n alone, by the schema of its own field. A
// member that is left out has one where it is required.
func (n *Node) Check() []Problem {
	path := n.Path()
	if n.state == Unset {
		if n.Field.Required && n.Parent != nil {
			return []Problem{{Path: path, Message: "is required", Kind: Missing, Keyword: "required"}}
		}
		return nil
	}
	raw, problems := n.json()
	v, err := parse(raw)
	if err != nil {
		return problems
	}
	var found []Problem
	for _, part := range n.Field.checks {
		found = append(found, n.draft.Form.judge().check(part, v, path)...)
	}
	return Merge(problems, found)
}

// Merge adds problems that the schema finds to those of unfinished text, whose
// place is reported once only.
func Merge(unfinished, found []Problem) []Problem {
	out := append([]Problem{}, unfinished...)
	for _, p := range found {
		covered := false
		for _, u := range out {
			if u.Path == p.Path && (u.Kind == Unfinished || u.Message == p.Message) {
				covered = true
				break
			}
		}
		if !covered {
			out = append(out, p)
		}
	}
	return out
}
