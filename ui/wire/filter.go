package wire

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
)

// Filter is a parsed filter: every term must fit.
//
//	method:tools/call  tool:book_table  dir:out  status:error  id:7  dur:>500ms  call:2  part:stderr  text
//
// A term with a leading - must not fit. A value fits where it is part of what
// it is compared with, in any case; ids, calls and durations are compared whole.
type Filter struct{ terms []term }

type term struct {
	not bool
	fit func(*session.Row) bool
}

// Fits reports whether a row is shown.
func (f Filter) Fits(r *session.Row) bool {
	for _, t := range f.terms {
		if t.fit(r) == t.not {
			return false
		}
	}
	return true
}

// Empty reports whether everything fits.
func (f Filter) Empty() bool { return len(f.terms) == 0 }

// ParseFilter reads a filter. The error names the term and what is allowed.
func ParseFilter(s string) (Filter, error) {
	var f Filter
	for _, word := range strings.Fields(s) {
		word, not := strings.CutPrefix(word, "-")
		if word == "" {
			continue
		}
		fit, err := parseTerm(word)
		if err != nil {
			return Filter{}, err
		}
		f.terms = append(f.terms, term{not: not, fit: fit})
	}
	return f, nil
}

func parseTerm(word string) (func(*session.Row) bool, error) {
	name, value, ok := strings.Cut(word, ":")
	lower := strings.ToLower(value)
	if ok {
		switch name {
		case "method":
			return func(r *session.Row) bool { return holds(r.Method, lower) }, nil
		case "tool", "name":
			return func(r *session.Row) bool { return r.Name != "" && holds(r.Name, lower) }, nil
		case "dir":
			return dirTerm(lower)
		case "status":
			return statusTerm(lower), nil
		case "id":
			return func(r *session.Row) bool {
				s, _ := rpc.String([]byte(r.ID))
				return value != "" && (string(r.ID) == value || s == value)
			}, nil
		case "dur":
			return durTerm(lower)
		case "call":
			n, err := strconv.Atoi(value)
			if err != nil {
				return nil, fmt.Errorf("call:%s: a call's number is expected, as in call:2", value)
			}
			return func(r *session.Row) bool { return r.Call == n }, nil
		case "part":
			return func(r *session.Row) bool { return holds(string(r.Part), lower) }, nil
		case "text":
			return func(r *session.Row) bool { return mentions(r, lower) }, nil
		}
	}
	lower = strings.ToLower(word)
	return func(r *session.Row) bool { return mentions(r, lower) }, nil
}

func holds(s, lower string) bool { return strings.Contains(strings.ToLower(s), lower) }

func mentions(r *session.Row, lower string) bool {
	return holds(r.Method, lower) || holds(r.Name, lower) || holds(r.Text, lower) ||
		holds(r.Problem, lower) || holds(string(r.Why), lower)
}

func dirTerm(value string) (func(*session.Row) bool, error) {
	dir := trace.Dir(value)
	if dir != trace.In && dir != trace.Out {
		return nil, fmt.Errorf("dir:%s: in or out is expected", value)
	}
	return func(r *session.Row) bool { return r.Dir == dir }, nil
}

// statusTerm compares with an HTTP status or an error code, or with the words
// error, ok and open.
func statusTerm(value string) func(*session.Row) bool {
	return func(r *session.Row) bool {
		switch value {
		case "error":
			return r.Kind == rpc.Failure || r.Status >= 400 || r.Problem != ""
		case "ok":
			return r.Kind == rpc.Result || r.Status >= 200 && r.Status < 300
		case "open":
			return r.Kind == rpc.Request && r.Pair == 0
		}
		return r.Status != 0 && strconv.Itoa(r.Status) == value || r.Code != 0 && strconv.Itoa(r.Code) == value
	}
}

func durTerm(value string) (func(*session.Row) bool, error) {
	number := strings.TrimLeft(value, "<>=")
	op := value[:len(value)-len(number)]
	d, err := time.ParseDuration(number)
	if err != nil {
		return nil, fmt.Errorf("dur:%s: a duration is expected, as in dur:>500ms", value)
	}
	return func(r *session.Row) bool {
		if r.Pair == 0 || r.Took == 0 && r.Kind == rpc.Request {
			return false
		}
		switch op {
		case "<":
			return r.Took < d
		case "<=":
			return r.Took <= d
		case ">=":
			return r.Took >= d
		}
		return r.Took > d
	}, nil
}
