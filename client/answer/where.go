package answer

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"mcptui/client/position"
)

// The parser of the YAML library marks exactly where it stopped, and where what
// it was reading then began. The text of its errors has no more of it than a
// line, which is that of the one or the other, counted from 0 or from 1. So the
// marks are looked at where the decoder keeps them. They are not exported: where
// a version of the library has them no more, the line of the message has to do,
// and the tests say so.

// mark is a place in the file.
type mark struct {
	offset       int // characters
	line, column int // from 1
	known        bool
}

// stop is why and where the parser of a decoder stopped.
type stop struct {
	problem, context mark
	event            mark   // the last thing that it had read
	during           string // what began at context, "" where nothing did
	byte             int    // offset of a byte that cannot be in YAML, 0 where there is none
}

// stopOf looks into a decoder that failed.
func stopOf(d *yaml.Decoder) stop {
	decoding := within(reflect.ValueOf(d), "parser")
	parsing := within(decoding, "parser")
	s := stop{
		problem: markIn(within(parsing, "problem_mark")),
		context: markIn(within(parsing, "context_mark")),
		event:   markIn(within(decoding, "event", "start_mark")),
		byte:    number(within(parsing, "problem_offset")),
	}
	if during := within(parsing, "context"); during.Kind() == reflect.String {
		s.during = during.String()
	}
	return s
}

func markIn(v reflect.Value) mark {
	line, column := within(v, "line"), within(v, "column")
	if !line.IsValid() || !line.CanInt() || !column.IsValid() || !column.CanInt() {
		return mark{}
	}
	return mark{number(within(v, "index")), int(line.Int()) + 1, int(column.Int()) + 1, true}
}

// within follows the names of fields; the zero value where one is not there.
func within(v reflect.Value, names ...string) reflect.Value {
	for _, name := range names {
		for v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			return reflect.Value{}
		}
		v = v.FieldByName(name)
	}
	return v
}

func number(v reflect.Value) int {
	if !v.IsValid() || !v.CanInt() {
		return 0
	}
	return int(v.Int())
}

// broken is the error about a file that is not YAML, and so not JSON either,
// after decoder d gave err on it.
func (r *reader) broken(data []byte, d *yaml.Decoder, err error) error {
	if fault := position.JSON(data); fault != nil && strings.HasSuffix(r.file, ".json") {
		// Called JSON, it is meant to be: what is wrong with it as YAML can seem to
		// be elsewhere.
		return &Error{r.file, fault.Line, fault.Column, "not JSON: " + fault.Error()}
	}
	line, why := said(err)
	column, at := 0, stopOf(d)
	text := []rune(string(data))
	switch last := len([]rune(string(data[:position.End(data)]))); {
	case !at.problem.known:
	case at.byte > 0:
		line, column = position.Of(data, at.byte)
	case strings.HasPrefix(why, "unknown anchor"):
		line, column = at.event.line, at.event.column
	case at.during == "while scanning a quoted scalar" && strings.HasPrefix(why, "found unexpected"):
		line, column, why = at.context.line, at.context.column, "the quoted text that begins here has no end"
	case at.during == "while scanning a simple key":
		line, column, why = at.context.line, at.context.column, why+" behind this name"
	case at.problem.offset >= last:
		line, column = position.Of(data, position.End(data))
		why = "the file ends here: " + why + at.inside()
	default:
		line, column = at.problem.line, at.problem.column
		if why += at.inside(); text[at.problem.offset] == '\t' && !strings.Contains(why, "tab") {
			why = "a tab cannot indent; write spaces"
		}
	}
	return &Error{r.file, line, column, "not YAML: " + why}
}

// inside says what the parser was in the middle of, and where that began, since
// the fault is as often there: a bracket that nothing closes.
func (s stop) inside() string {
	what := map[string]string{
		"while parsing a flow mapping":     "the { that opens",
		"while parsing a flow sequence":    "the [ that opens",
		"while parsing a block mapping":    "the mapping that begins",
		"while parsing a block collection": "the list that begins",
	}[s.during]
	if what == "" {
		return ""
	}
	return fmt.Sprintf(" (in %s at %d:%d)", what, s.context.line, s.context.column)
}

// said takes the text of a library's error apart. Line is 1 where it names none.
func said(err error) (line int, why string) {
	line, why = 1, strings.TrimPrefix(err.Error(), "yaml: ")
	if at, rest, ok := strings.Cut(why, ": "); ok {
		if n, e := strconv.Atoi(strings.TrimPrefix(at, "line ")); e == nil {
			line, why = max(n, 1), rest
		}
	}
	return line, why
}
