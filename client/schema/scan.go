package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// maxDepth bounds how deep a document may nest. Deeper documents are edited as
// one text: no form is made of them.
const maxDepth = 400

// errDeep says that a document nests deeper than maxDepth.
var errDeep = fmt.Errorf("nested more than %d levels deep", maxDepth)

// parse reads one JSON document.
func parse(raw []byte) (*value, error) {
	if !json.Valid(raw) {
		return nil, syntaxError(raw)
	}
	s := scanner{data: raw, source: string(raw)}
	return s.value(0)
}

// syntaxError says where raw stops being JSON, in words for the person who
// typed it.
func syntaxError(raw []byte) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		return errors.New("empty: a JSON value is needed")
	}
	var ignored json.RawMessage
	err := json.Unmarshal(raw, &ignored)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at := min(int(syntax.Offset), len(raw))
		line := 1 + bytes.Count(raw[:at], []byte("\n"))
		column := at - (bytes.LastIndexByte(raw[:at], '\n') + 1)
		return fmt.Errorf("not JSON at line %d, column %d: %w", line, max(column, 1), err)
	}
	if err == nil {
		return errors.New("not JSON")
	}
	return fmt.Errorf("not JSON: %w", err)
}

// scanner walks bytes that are already known to be valid JSON.
type scanner struct {
	data   []byte
	source string // data again, so that strings without escapes need no copy
	pos    int
	slab   []value
}

// next returns a fresh value. They come in slabs: a schema with long lists of
// choices has thousands.
func (s *scanner) next() *value {
	if len(s.slab) == 0 {
		s.slab = make([]value, min(128, 1+(len(s.data)-s.pos)/8))
	}
	v := &s.slab[0]
	s.slab = s.slab[1:]
	return v
}

func (s *scanner) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

func (s *scanner) value(depth int) (*value, error) {
	if depth > maxDepth {
		return nil, errDeep
	}
	s.space()
	start := s.pos
	v := s.next()
	var err error
	switch c := s.data[s.pos]; c {
	case '{':
		v.kind = '{'
		err = s.object(v, depth)
	case '[':
		v.kind = '['
		err = s.array(v, depth)
	case '"':
		v.kind = '"'
		_, v.text = s.str()
	case 't', 'f', 'n':
		v.kind = c
		for s.pos < len(s.data) && s.data[s.pos] >= 'a' && s.data[s.pos] <= 'z' {
			s.pos++
		}
	default:
		v.kind = '0'
		for s.pos < len(s.data) && strings.IndexByte("+-.eE0123456789", s.data[s.pos]) >= 0 {
			s.pos++
		}
	}
	v.raw = s.data[start:s.pos:s.pos]
	return v, err
}

func (s *scanner) object(v *value, depth int) error {
	s.pos++
	for {
		s.space()
		switch s.data[s.pos] {
		case '}':
			s.pos++
			v.buildIndex()
			return nil
		case ',':
			s.pos++
			s.space()
		}
		_, name := s.str()
		s.space()
		s.pos++ // the colon
		child, err := s.value(depth + 1)
		if err != nil {
			return err
		}
		v.members = append(v.members, member{name, child})
	}
}

func (s *scanner) array(v *value, depth int) error {
	s.pos++
	for {
		s.space()
		switch s.data[s.pos] {
		case ']':
			s.pos++
			return nil
		case ',':
			s.pos++
		}
		child, err := s.value(depth + 1)
		if err != nil {
			return err
		}
		v.items = append(v.items, child)
	}
}

// str reads a string literal, and returns it and the text that it stands for.
func (s *scanner) str() (raw []byte, text string) {
	start, escaped := s.pos, false
	for s.pos++; s.data[s.pos] != '"'; s.pos++ {
		if s.data[s.pos] == '\\' {
			escaped = true
			s.pos++
		}
	}
	s.pos++
	raw = s.data[start:s.pos:s.pos]
	if escaped {
		return raw, unquote(raw)
	}
	// A string without escapes may still hold bytes that are not UTF-8.
	return raw, strings.ToValidUTF8(s.source[start+1:s.pos-1], "\uFFFD")
}

// unquote is apart from str so that only strings with escapes cost memory.
func unquote(raw []byte) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return string(raw)
	}
	return text
}
