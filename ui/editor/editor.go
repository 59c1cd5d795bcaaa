// Package editor is a JSON document that a person edits in place: a held retry,
// an answer that no form fits, arguments of any shape. It knows JSON and
// nothing of schemas; whoever holds it checks the value.
package editor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"mcptui/ui/draw"
)

// JSON is a document being edited.
type JSON struct {
	area   textarea.Model
	first  json.RawMessage // what it began with
	text   string          // that, as it was laid out
	bounds draw.Rect
}

// New begins with a document, which goes back byte for byte if it is not
// changed.
func New(raw json.RawMessage) *JSON {
	a := textarea.New()
	a.Prompt, a.ShowLineNumbers = "", false
	a.CharLimit, a.MaxHeight = 0, 0
	a.SetVirtualCursor(false)
	a.SetStyles(textarea.Styles{})
	a.Focus() // its command blinks a cursor that is not drawn
	e := &JSON{area: a, first: raw, text: Pretty(raw)}
	e.area.SetValue(e.text)
	e.area.MoveToBegin()
	return e
}

// Pretty lays JSON out for editing. Characters inside strings that cannot be
// seen are written as escapes, which mean the same.
func Pretty(raw []byte) string {
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		b.Reset()
		b.Write(raw)
	}
	var out strings.Builder
	for _, r := range b.String() {
		if r != '\n' && !unicode.IsPrint(r) {
			if r > 0xffff {
				hi, lo := (r-0x10000)>>10+0xd800, (r-0x10000)&0x3ff+0xdc00
				fmt.Fprintf(&out, `\u%04x\u%04x`, hi, lo)
				continue
			}
			fmt.Fprintf(&out, `\u%04x`, r)
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}

// Changed reports whether the person changed anything.
func (e *JSON) Changed() bool { return e.area.Value() != e.text }

// Text is the document as it stands, JSON or not.
func (e *JSON) Text() string { return e.area.Value() }

// SetText replaces the document, as an editor outside does.
func (e *JSON) SetText(s string) {
	e.area.SetValue(s)
	e.area.MoveToBegin() // to be read from the start
}

// Value returns the document on one line, numbers as they were typed. The
// error says where it is not JSON.
func (e *JSON) Value() (json.RawMessage, error) {
	if !e.Changed() && json.Valid(e.first) {
		return e.first, nil
	}
	s := e.area.Value()
	var v json.RawMessage
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		return nil, fmt.Errorf("not JSON%s: %w", where(s, err), err)
	}
	var b bytes.Buffer
	if err := json.Compact(&b, v); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	return b.Bytes(), nil
}

func where(s string, err error) string {
	se, ok := err.(*json.SyntaxError)
	if !ok {
		return ""
	}
	before := s[:min(len(s), int(se.Offset))]
	return fmt.Sprintf(" at line %d", strings.Count(before, "\n")+1)
}

// Key types. Tab is not the editor's: it leaves.
func (e *JSON) Key(k tea.KeyPressMsg) {
	e.area, _ = e.area.Update(k)
}

// mostLines is how many lines the hosted text area holds; it drops those beyond.
const mostLines = 10000

// TooManyLines says why Paste took nothing.
const TooManyLines = "nothing was pasted: with it the document would have more than 10000 lines; an editor of your own (Ctrl+E) takes it"

// Paste types many characters at once. False means that the document would have
// more lines than can be edited here, and stands as it was.
func (e *JSON) Paste(s string) bool {
	s = LineEnds(s)
	if e.area.LineCount()+strings.Count(s, "\n") > mostLines {
		return false
	}
	e.area.InsertString(s)
	return true
}

// LineEnds makes every line of a pasted text end in a newline: terminals send
// what is pasted as it would be typed, with carriage returns.
func LineEnds(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// Click puts the cursor where the person clicked, or at the end of a line where
// that lies behind it.
func (e *JSON) Click(x, y int) {
	c := e.area.Cursor()
	if c == nil {
		return
	}
	e.Wheel(y - e.bounds.Min.Y - c.Y) // rows of the screen, as a long line is folded
	line := []rune(strings.Split(e.area.Value(), "\n")[e.area.Line()])
	row := e.area.LineInfo()
	col := row.StartColumn
	for at := e.bounds.Min.X; col < min(len(line), row.StartColumn+row.Width); col++ {
		if at += max(1, runewidth(line[col])); at > x {
			break
		}
	}
	e.area.SetCursorColumn(col)
}

// runewidth is the number of cells that the editor gives a character.
func runewidth(r rune) int { return ansi.StringWidthWc(string(r)) }

// Wheel scrolls by moving the cursor.
func (e *JSON) Wheel(n int) {
	for ; n > 0; n-- {
		e.area.CursorDown()
	}
	for ; n < 0; n++ {
		e.area.CursorUp()
	}
}

// Draw draws the document, with the terminal's cursor where focus is true.
func (e *JSON) Draw(s *draw.Screen, area draw.Rect, focus bool) {
	if area.Empty() {
		return
	}
	if e.bounds.Size() != area.Size() {
		e.area.SetWidth(area.Dx())
		e.area.SetHeight(area.Dy())
		e.area, _ = e.area.Update(nil) // puts the window right
	}
	e.bounds = area
	s.Styled(area, e.area.View())
	if c := e.area.Cursor(); focus && c != nil {
		s.Cursor(min(area.Min.X+c.X, area.Max.X-1), min(area.Min.Y+c.Y, area.Max.Y-1))
	}
}
