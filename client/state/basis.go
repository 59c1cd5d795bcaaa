package state

import (
	"encoding/json"
	"fmt"
)

// basis is what a verdict hangs on besides the answer, as a log keeps it: keys
// and flags, nothing that was answered.
type basis struct {
	Asked    []string `json:"asked,omitempty"`
	Before   []string `json:"before,omitempty"`
	Key      string   `json:"key,omitempty"`
	Unsigned bool     `json:"unsigned,omitempty"`
	Fits     bool     `json:"fits,omitempty"`
	Invented bool     `json:"invented,omitempty"`
}

// Basis writes down what the verdict will hang on besides the answer, so that
// Recall can judge it later, from a recording.
func (t Tampered) Basis() json.RawMessage {
	b := basis{nil, t.before, t.key, t.unsigned, t.fits, t.invented}
	for _, a := range t.asked {
		b.Asked = append(b.Asked, a.Key)
	}
	raw, err := json.Marshal(b)
	if err != nil { // strings and flags
		panic(err)
	}
	return raw
}

// Recall makes a tampered retry of what a log says of it, to be judged. The
// request itself is not in it.
func Recall(preset, change string, raw []byte) (Tampered, error) {
	p, ok := PresetByID(preset)
	if !ok {
		return Tampered{}, fmt.Errorf("there is no preset %q: a newer version may have one", preset)
	}
	var b basis
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &b); err != nil {
			return Tampered{}, fmt.Errorf("what the verdict on %q hangs on: %w", preset, err)
		}
	}
	t := Tampered{Preset: p, Change: change, before: b.Before, key: b.Key, unsigned: b.Unsigned, fits: b.Fits, invented: b.Invented}
	t.Twice = preset == "twice"
	for _, key := range b.Asked {
		t.asked = append(t.asked, Asked{Key: key})
	}
	return t, nil
}
