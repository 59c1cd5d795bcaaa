package schema

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// patternTime bounds one match. Schemas hold patterns of ECMA-262, which look
// around and refer back, and so can run for ever.
const patternTime = 100 * time.Millisecond

// pattern is a compiled pattern that gives up in time. Once it has given up it
// is not tried again within one validation.
type pattern struct {
	re    *regexp2.Regexp
	text  string
	state *run
}

// run is what one validation may use up; see Validator.
type run struct {
	steps    int
	deadline time.Time
	slow     map[string]bool // patterns that took too long
}

func (p *pattern) String() string { return p.text }

// MatchString reports a match where it cannot find out: the value is then
// reported as unchecked, not as wrong.
func (p *pattern) MatchString(s string) bool {
	if p.state != nil && p.state.slow[p.text] {
		return true
	}
	ok, err := p.re.MatchString(s)
	if err != nil {
		if p.state != nil {
			p.state.slow[p.text] = true
		}
		return true
	}
	return ok
}

// engine returns the regexp engine of one validator.
func engine(state *run) jsonschema.RegexpEngine {
	return func(text string) (jsonschema.Regexp, error) {
		re, err := compileRegexp(text)
		if err != nil {
			return nil, err
		}
		return &pattern{re: re, text: text, state: state}, nil
	}
}

// compileRegexp compiles a pattern of ECMA-262: as such where it can be, else with
// the wider syntax (\p{L}, named groups) that the u flag of ECMA-262 has too.
func compileRegexp(text string) (*regexp2.Regexp, error) {
	re, err := regexp2.Compile(text, regexp2.ECMAScript|regexp2.Unicode)
	if err != nil {
		if re, err = regexp2.Compile(text, regexp2.None); err != nil {
			return nil, err
		}
	}
	re.MatchTimeout = patternTime
	return re, nil
}

var (
	patternErrors sync.Map // pattern → error or nil; compiling one is slow
	patternCount  atomic.Int64
)

// compilePattern says why text is not a pattern, or nil.
func compilePattern(text string) error {
	if known, ok := patternErrors.Load(text); ok {
		err, _ := known.(error)
		return err
	}
	_, err := compileRegexp(text)
	if patternCount.Add(1) < 2000 {
		if err == nil {
			patternErrors.Store(text, true)
		} else {
			patternErrors.Store(text, err)
		}
	}
	return err
}

// patternReason shortens the engine's message to the reason.
func patternReason(err error) string {
	text := err.Error()
	if i := strings.Index(text, ": "); i >= 0 {
		text = text[i+2:]
	}
	return strings.TrimSuffix(text, ".")
}
