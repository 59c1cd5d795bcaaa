package schema

import (
	"fmt"
	stdregexp "regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dlclark/regexp2"

	"mcptui/client/schema/conform"
)

// patternTime bounds one match. Schemas hold patterns of ECMA-262, which look
// around and refer back, and so can run for ever.
const patternTime = 60 * time.Millisecond

// matcher is a compiled pattern. An error means that it took too long.
type matcher interface {
	MatchString(s string) (bool, error)
}

// linear is a pattern that Go's own engine runs, always in linear time.
type linear struct{ re *stdregexp.Regexp }

func (l linear) MatchString(s string) (bool, error) { return l.re.MatchString(s), nil }

// pattern is a matcher as the validator wants it. Once it has taken too long
// it is not tried again within one validation.
type pattern struct {
	matcher
	text  string
	state *run
}

// run is what one validation has used up.
type run struct {
	steps    int
	most     int // steps
	deadline time.Time
	slow     map[string]bool // patterns that took too long
}

// MatchString reports a match where it cannot find out: the value is then
// reported as unchecked, not as wrong.
func (p *pattern) MatchString(s string) bool {
	if p.state.slow[p.text] {
		return true
	}
	ok, err := p.matcher.MatchString(s)
	if err != nil {
		p.state.slow[p.text] = true
		return true
	}
	return ok
}

// engine returns the regexp engine of one validator.
func engine(state *run) func(text string) (conform.Pattern, error) {
	return func(text string) (conform.Pattern, error) {
		m, err := compileRegexp(text)
		if err != nil {
			return nil, err
		}
		return &pattern{matcher: m, text: text, state: state}, nil
	}
}

// tick makes the matcher's clock fine enough for patternTime.
var tick = sync.OnceFunc(func() { regexp2.SetTimeoutCheckPeriod(10 * time.Millisecond) })

// compileRegexp compiles a pattern of ECMA-262: for Go's engine where it means
// the same there, else as ECMAScript, else with the wider syntax (\p{L}, named
// groups) that the u flag of ECMA-262 has too.
func compileRegexp(text string) (m matcher, err error) {
	defer func() {
		if p := recover(); p != nil {
			m, err = nil, fmt.Errorf("cannot be compiled: %v", p)
		}
	}()
	if len(text) > 20_000 {
		return nil, fmt.Errorf("longer than 20000 characters")
	}
	if sameInGo(text) {
		if re, err := stdregexp.Compile(text); err == nil {
			return linear{re}, nil
		}
	}
	tick()
	re, err := regexp2.Compile(text, regexp2.ECMAScript|regexp2.Unicode)
	if err != nil {
		if re, err = regexp2.Compile(text, regexp2.None); err != nil {
			return nil, err
		}
	}
	re.MatchTimeout = patternTime
	return re, nil
}

// sameInGo reports whether text surely means the same to ECMA-262 and to Go:
// no groups but plain ones, no dot (which line ends it takes differs), and no
// escapes but \d, \w and those of punctuation.
func sameInGo(text string) bool {
	class := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= 0x80:
			return false
		case c == '\\':
			i++
			if i == len(text) || strings.IndexByte(`dwDW.-/\()[]{}|+*?^$@:#_,%&=!~ `, text[i]) < 0 || text[i] == '_' {
				return false
			}
		case c == '[':
			if class {
				return false // a nested bracket: [[:alpha:]] in Go
			}
			class = true
			if strings.HasPrefix(text[i:], "[]") || strings.HasPrefix(text[i:], "[^]") {
				return false
			}
		case c == ']':
			class = false
		case c == '.' && !class:
			return false
		case c == '(' && !class && strings.HasPrefix(text[i:], "(?") && !strings.HasPrefix(text[i:], "(?:"):
			return false
		}
	}
	return true
}

var (
	patternErrors sync.Map // pattern → error or true; compiling one is slow
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
