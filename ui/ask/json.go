package ask

import (
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/schema"
	"mcptui/ui/draw"
	"mcptui/ui/editor"
	"mcptui/ui/keys"
)

// Document is an Editor for a whole value as JSON, checked by a schema where
// there is one.
type Document struct {
	doc     *editor.JSON
	schema  []byte
	refused string
}

// JSON returns an editor that shows a value as JSON. Without a value it begins
// with what the schema's defaults give.
func JSON(schemaJSON []byte, value json.RawMessage) *Document {
	if value == nil {
		value = schema.Skeleton(schemaJSON)
	}
	return &Document{doc: editor.New(value), schema: schemaJSON}
}

// SetText replaces what is typed.
func (e *Document) SetText(s string) { e.doc.SetText(s) }

// Text returns what is typed, JSON or not.
func (e *Document) Text() string { return e.doc.Text() }

func (e *Document) Draw(s *draw.Screen, area draw.Rect, focus bool) { e.doc.Draw(s, area, focus) }
func (e *Document) Key(k tea.KeyPressMsg)                           { e.doc.Key(k) }
func (e *Document) Do(keys.Intent) bool                             { return false }
func (e *Document) Click(x, y int) bool                             { e.doc.Click(x, y); return true }
func (e *Document) Wheel(n int)                                     { e.doc.Wheel(n) }
func (e *Document) Changed() bool                                   { return e.doc.Changed() }

// Types reports whether a key only types: all do here.
func (e *Document) Types(tea.KeyPressMsg) bool { return true }

// Paste types many characters at once, or refuses all of them.
func (e *Document) Paste(s string) {
	e.refused = ""
	if !e.doc.Paste(s) {
		e.refused = editor.TooManyLines
	}
}

// Refused says why what was pasted last was not taken, "" where it was.
func (e *Document) Refused() string { return e.refused }

func (e *Document) Value() (json.RawMessage, []string, error) {
	raw, err := e.doc.Value()
	if err != nil || e.schema == nil {
		return raw, nil, err
	}
	var problems []string
	for _, p := range schema.Blocking(schema.Validate(e.schema, raw)) {
		problems = append(problems, p.String())
	}
	return raw, problems, nil
}
