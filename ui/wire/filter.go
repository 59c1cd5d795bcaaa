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
// A text fits where the row says it, and where the bytes of the event hold it:
// the body of a frame, the headers of an exchange, a stray line. Its case counts
// only beyond ASCII.
type Filter struct {
	terms []term
	words []word
}

// term is about what a row tells.
type term struct {
	not bool
	fit func(*session.Row) bool
}

// word is a text that is searched for.
type word struct {
	not   bool
	lower string
}

// mostWords is how many texts one filter may have.
const mostWords = 64

// Empty reports whether everything fits.
func (f Filter) Empty() bool { return len(f.terms)+len(f.words) == 0 }

// row says what a row tells: whether it is out in any case, and which of the
// texts the bytes of its event must be asked for, a bit each.
func (f Filter) row(r *session.Row) (ok bool, ask uint64) {
	for _, t := range f.terms {
		if t.fit(r) == t.not {
			return false, 0
		}
	}
	for i, w := range f.words {
		switch said := mentions(r, w.lower); {
		case said && w.not:
			return false, 0
		case !said:
			ask |= 1 << i
		}
	}
	return true, ask
}

// event says whether the bytes of an event fit the texts that are asked for.
func (f Filter) event(e trace.Event, ask uint64) bool {
	for i, w := range f.words {
		if ask&(1<<i) != 0 && holdsText(e, w.lower) == w.not {
			return false
		}
	}
	return true
}

// ParseFilter reads a filter. The error names the term and what is allowed.
func ParseFilter(s string) (Filter, error) {
	var f Filter
	for _, said := range strings.Fields(s) {
		said, not := strings.CutPrefix(said, "-")
		if said == "" {
			continue
		}
		fit, text, err := parseTerm(said)
		switch {
		case err != nil:
			return Filter{}, err
		case fit != nil:
			f.terms = append(f.terms, term{not: not, fit: fit})
		case text == "": // text: without one, while it is typed
		case len(f.words) == mostWords:
			return Filter{}, fmt.Errorf("%s: more than %d texts", said, mostWords)
		default:
			f.words = append(f.words, word{not: not, lower: lower(text)})
		}
	}
	return f, nil
}

// parseTerm reads a term: a test of a row, or else a text.
func parseTerm(said string) (fit func(*session.Row) bool, text string, err error) {
	name, value, ok := strings.Cut(said, ":")
	low := strings.ToLower(value)
	if !ok {
		return nil, said, nil
	}
	switch name {
	case "method":
		return func(r *session.Row) bool { return holds(r.Method, low) }, "", nil
	case "tool", "name":
		return func(r *session.Row) bool { return r.Name != "" && holds(r.Name, low) }, "", nil
	case "dir":
		fit, err = dirTerm(low)
		return fit, "", err
	case "status":
		return statusTerm(low), "", nil
	case "id":
		return func(r *session.Row) bool {
			s, _ := rpc.String([]byte(r.ID))
			return value != "" && (string(r.ID) == value || s == value)
		}, "", nil
	case "dur":
		fit, err = durTerm(low)
		return fit, "", err
	case "call":
		n, err := strconv.Atoi(value)
		if err != nil {
			return nil, "", fmt.Errorf("call:%s: a call's number is expected, as in call:2", value)
		}
		return func(r *session.Row) bool { return r.Call == n }, "", nil
	case "part":
		return func(r *session.Row) bool { return holds(string(r.Part), low) }, "", nil
	case "text":
		return nil, value, nil
	}
	return nil, said, nil
}

func holds(s, lower string) bool { return strings.Contains(strings.ToLower(s), lower) }

func mentions(r *session.Row, lower string) bool {
	return within(r.Method, lower) || within(r.Name, lower) || within(r.Text, lower) ||
		within(r.Problem, lower) || within(string(r.Why), lower)
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
