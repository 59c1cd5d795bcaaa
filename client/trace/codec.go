package trace

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"time"
	"unicode/utf8"
)

// raw is bytes in a recording: a JSON string, or {"base64": "…"} where they are
// not UTF-8. Nil is left out, empty is not: the two differ in Frame.Post.
type raw []byte

// MarshalJSON implements json.Marshaler.
func (r raw) MarshalJSON() ([]byte, error) {
	if !utf8.Valid(r) {
		return json.Marshal(map[string]string{"base64": base64.StdEncoding.EncodeToString(r)})
	}
	return quote(string(r))
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *raw) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		*r = append(raw{}, s...)
		return nil
	}
	var coded struct {
		Base64 *string `json:"base64"`
	}
	if err := json.Unmarshal(data, &coded); err != nil {
		return err
	}
	if coded.Base64 == nil {
		return unfit("an object without base64")
	}
	decoded, err := base64.StdEncoding.DecodeString(*coded.Base64)
	if err != nil {
		return unfit("base64 that cannot be decoded")
	}
	*r = append(raw{}, decoded...)
	return nil
}

// unfit is an error that encoding/json adds the path of the member to.
func unfit(value string) error {
	return &json.UnmarshalTypeError{Value: value, Type: reflect.TypeFor[raw]()}
}

func quote(s string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// line is an event as it stands in a recording.
type line struct {
	Seq    int           `json:"seq"`
	At     time.Duration `json:"at"` // nanoseconds
	Frame  *frameLine    `json:"frame,omitzero"`
	HTTP   *HTTP         `json:"http,omitzero"`
	Noise  *noiseLine    `json:"noise,omitzero"`
	Stderr *stderrLine   `json:"stderr,omitzero"`
	Phase  *Phase        `json:"phase,omitzero"`
	Act    *actLine      `json:"act,omitzero"`
}

type frameLine struct {
	Dir      Dir   `json:"dir"`
	Exchange int   `json:"exchange,omitzero"`
	Size     int   `json:"size,omitzero"`
	Cause    Cause `json:"cause,omitzero"`
	Pre      raw   `json:"pre,omitzero"`
	Bytes    raw   `json:"bytes,omitzero"`
	Post     raw   `json:"post,omitzero"`
	Wire     raw   `json:"wire,omitzero"`
}

type noiseLine struct {
	Exchange int    `json:"exchange,omitzero"`
	Why      string `json:"why,omitzero"`
	Size     int    `json:"size,omitzero"`
	Dropped  int    `json:"dropped,omitzero"`
	Bytes    raw    `json:"bytes,omitzero"`
}

type stderrLine struct {
	Dropped int64 `json:"dropped,omitzero"`
	Bytes   raw   `json:"bytes,omitzero"`
}

type actLine struct {
	Who    Who           `json:"who,omitzero"`
	Kind   ActKind       `json:"kind,omitzero"`
	Call   int           `json:"call,omitzero"`
	Round  int           `json:"round,omitzero"`
	Ask    AskID         `json:"ask,omitzero"`
	Method string        `json:"method,omitzero"`
	Name   string        `json:"name,omitzero"`
	Status Status        `json:"status,omitzero"`
	Until  time.Duration `json:"until,omitzero"` // nanoseconds
	Note   string        `json:"note,omitzero"`
	Value  raw           `json:"value,omitzero"`
	Again  int           `json:"again,omitzero"`
	Since  time.Duration `json:"since,omitzero"` // nanoseconds
}

// encode writes an event as one line of JSON, without the line end.
func encode(e Event) ([]byte, error) {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	if err := out.Encode(toLine(e)); err != nil {
		return nil, fmt.Errorf("encode event %d: %w", e.Seq, err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func decode(data []byte) (Event, error) {
	var l line
	if err := json.Unmarshal(data, &l); err != nil {
		return Event{}, err
	}
	return l.event()
}

func toLine(e Event) line {
	l := line{Seq: e.Seq, At: e.At, HTTP: e.HTTP, Phase: e.Phase}
	if f := e.Frame; f != nil {
		l.Frame = &frameLine{f.Dir, f.Exchange, f.Size, f.Cause, f.Pre, f.Bytes, f.Post, f.Wire}
	}
	if n := e.Noise; n != nil {
		l.Noise = &noiseLine{n.Exchange, n.Why, n.Size, n.Dropped, n.Bytes}
	}
	if s := e.Stderr; s != nil {
		l.Stderr = &stderrLine{s.Dropped, s.Bytes}
	}
	if a := e.Act; a != nil {
		l.Act = &actLine{a.Who, a.Kind, a.Call, a.Round, a.Ask, a.Method, a.Name, a.Status, a.Until, a.Note, a.Value, a.Again, a.Since}
	}
	return l
}

func (l line) event() (Event, error) {
	e := Event{Seq: l.Seq, At: l.At, HTTP: l.HTTP, Phase: l.Phase}
	if f := l.Frame; f != nil {
		e.Frame = &Frame{Dir: f.Dir, Exchange: f.Exchange, Size: f.Size, Cause: f.Cause, Pre: f.Pre, Bytes: f.Bytes, Post: f.Post, Wire: f.Wire}
	}
	if n := l.Noise; n != nil {
		e.Noise = &Noise{Exchange: n.Exchange, Why: n.Why, Size: n.Size, Dropped: n.Dropped, Bytes: n.Bytes}
	}
	if s := l.Stderr; s != nil {
		e.Stderr = &Stderr{Dropped: s.Dropped, Bytes: s.Bytes}
	}
	if a := l.Act; a != nil {
		e.Act = &Act{a.Who, a.Kind, a.Call, a.Round, a.Ask, a.Method, a.Name, a.Value, a.Status, a.Until, a.Note, a.Again, a.Since}
	}
	parts := 0
	for _, set := range []bool{e.Frame != nil, e.HTTP != nil, e.Noise != nil, e.Stderr != nil, e.Phase != nil, e.Act != nil} {
		if set {
			parts++
		}
	}
	if parts != 1 {
		return Event{}, fmt.Errorf("an event has %d parts where it must have one", parts)
	}
	return e, nil
}

// MarshalJSON keeps values that are not UTF-8, which headers may hold.
func (h Header) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Name  string `json:"name"`
		Value raw    `json:"value"`
	}{h.Name, append(raw{}, h.Value...)})
}

// UnmarshalJSON is the reverse.
func (h *Header) UnmarshalJSON(data []byte) error {
	var l struct {
		Name  string `json:"name"`
		Value raw    `json:"value"`
	}
	if err := json.Unmarshal(data, &l); err != nil {
		return err
	}
	h.Name, h.Value = l.Name, string(l.Value)
	return nil
}
