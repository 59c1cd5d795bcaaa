package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"

	"mcptui/client/schema"
)

// Input is one of VS Code's inputs: what stands for ${input:ID}, known to a person.
type Input struct {
	ID          string
	Description string
	Default     *string  // nil where none is declared
	Hidden      bool     // it must not be shown while it is typed
	Options     []Option // where there are any, one of them is to be picked
}

// Option is a value to pick, and how it is shown.
type Option struct{ Label, Value string }

// UnmarshalJSON takes a text for both, as VS Code does.
func (o *Option) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, &o.Value) == nil {
		o.Label = o.Value
		return nil
	}
	var both struct{ Label, Value string }
	if err := json.Unmarshal(raw, &both); err != nil || both.Value == "" {
		return errors.New(`an option is a text, or an object with "label" and "value"`)
	}
	o.Label, o.Value = firstOf(both.Label, both.Value), both.Value
	return nil
}

// declared is an input as it stands in a file.
type declared struct {
	Type        string   `json:"type"`
	ID          string   `json:"id"`
	Description string   `json:"description"`
	Default     *string  `json:"default"`
	Password    bool     `json:"password"`
	Options     []Option `json:"options"`
}

// input finds what the file declares of an id. Inputs that no server needs are not
// looked at, so what is wrong with them is no matter.
func (d *document) input(id string) (Input, error) {
	if d == nil {
		return Input{}, errors.New(`no "inputs" declares it`)
	}
	list := d.root.Find(d.above + "/inputs")
	if list == nil {
		return Input{}, errors.New(`the file has no "inputs" that declares it`)
	}
	if m := again(d.root.Find(d.above), "inputs"); m != nil {
		return Input{}, d.broken(m.Name.StartOffset, `"inputs" is there twice`)
	}
	elements, ok := list.Value.(*hujson.Array)
	if !ok {
		return Input{}, d.broken(list.StartOffset, `"inputs" is not an array`)
	}
	var ids []string
	var found *hujson.Value
	for i := range elements.Elements {
		e := &elements.Elements[i]
		own, ok := textOf(below(e, "id"))
		if !ok {
			continue
		}
		ids = append(ids, own)
		switch {
		case own != id:
		case found != nil:
			return Input{}, d.broken(e.StartOffset, "inputs %q is there twice", id)
		default:
			found = e
		}
	}
	switch {
	case found != nil:
		return d.readInput(id, *found)
	case len(ids) == 0:
		return Input{}, errors.New(`"inputs" declares none`)
	}
	if near := schema.DidYouMean(id, ids); near != "" {
		return Input{}, fmt.Errorf(`"inputs" declares no %q%s`, id, near)
	}
	return Input{}, fmt.Errorf(`"inputs" declares no %q; it has %s`, id, strings.Join(ids, ", "))
}

func (d *document) readInput(id string, v hujson.Value) (Input, error) {
	var in declared
	what := fmt.Sprintf("inputs %q", id)
	if err := d.decode(v, &in, what); err != nil {
		return Input{}, err
	}
	if m := repeated(v, strings.ToLower); m != nil {
		return Input{}, d.broken(m.Name.StartOffset, "%s: %q is there twice", what, nameOf(*m))
	}
	switch {
	case in.Type == "command":
		return Input{}, d.broken(v.StartOffset, `%s is the answer of a command of VS Code, which runs nowhere else; write ${env:NAME} in its place`, what)
	case in.Type == "pickString" && len(in.Options) == 0:
		return Input{}, d.broken(v.StartOffset, `%s has no "options" to pick from`, what)
	case in.Type != "pickString":
		in.Options = nil
	}
	return Input{ID: id, Description: in.Description, Default: in.Default, Hidden: in.Password, Options: in.Options}, nil
}

func textOf(v *hujson.Value) (string, bool) {
	if v == nil {
		return "", false
	}
	l, ok := v.Value.(hujson.Literal)
	if !ok || l.Kind() != '"' {
		return "", false
	}
	return l.String(), true
}
