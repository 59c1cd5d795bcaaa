package ask

import (
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/schema"
	"mcptui/ui/draw"
	"mcptui/ui/editor"
	"mcptui/ui/keys"
)

// jsonEditor is an Editor for a whole value as JSON, checked by a schema where
// there is one.
type jsonEditor struct {
	doc    *editor.JSON
	schema []byte
}

// JSON returns an editor that shows a value as JSON. Without a value it begins
// with what the schema's defaults give.
func JSON(schemaJSON []byte, value json.RawMessage) Editor {
	if value == nil {
		value = schema.Skeleton(schemaJSON)
	}
	return &jsonEditor{doc: editor.New(value), schema: schemaJSON}
}

func (e *jsonEditor) Draw(s *draw.Screen, area draw.Rect, focus bool) { e.doc.Draw(s, area, focus) }
func (e *jsonEditor) Key(k tea.KeyPressMsg)                           { e.doc.Key(k) }
func (e *jsonEditor) Paste(s string)                                  { e.doc.Paste(s) }
func (e *jsonEditor) Do(keys.Intent) bool                             { return false }
func (e *jsonEditor) Click(int, int) bool                             { return true }
func (e *jsonEditor) Wheel(n int)                                     { e.doc.Wheel(n) }
func (e *jsonEditor) Changed() bool                                   { return e.doc.Changed() }

func (e *jsonEditor) Value() (json.RawMessage, []string, error) {
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
