package compare

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcptui/client/rpc"
	"mcptui/client/state"
	"mcptui/ui/text"
)

// Difference is one place where the two sides differ.
type Difference struct {
	Group  string   // what it is a part of: "params", "round 2: ask when"; not cleaned
	Path   string   // where in it, "" for the whole; not cleaned
	Op     state.Op // what happened on the way from the first side to the second
	Before []byte   // as it was written; nil for what was added
	After  []byte   // nil for what was removed
	JSON   bool     // the values are JSON
	// Quiet differences are there between any two runs: ids, times, sizes.
	Quiet bool
}

// largest is how large a body may be to be compared place by place.
const largest = 8 << 20

// Diff lists how b differs from a, what matters first. Keys verify states for
// display. Bodies that cannot be read are named as a difference.
func Diff(a, b Side, log Log, keys ...state.Key) []Difference {
	d := differ{log: log, keys: keys}
	if a.Place.Whole() && b.Place.Whole() {
		d.calls(a.call, b.call)
	}
	for i := range max(len(a.rounds), len(b.rounds)) {
		d.prefix = ""
		if a.Place.Whole() && b.Place.Whole() {
			d.prefix = fmt.Sprintf("round %d: ", i+1)
		}
		switch {
		case i >= len(a.rounds):
			d.words(d.prefix+"there is one", "", "", outline(b.rounds[i]), false)
		case i >= len(b.rounds):
			d.words(d.prefix+"there is one", "", outline(a.rounds[i]), "", false)
		default:
			d.rounds(a.rounds[i], b.rounds[i])
		}
	}
	slices.SortStableFunc(d.out, func(x, y Difference) int { return rank(x) - rank(y) })
	return d.out
}

func rank(d Difference) int {
	if d.Quiet {
		return 1
	}
	return 0
}

// outline says in a few words what a round is.
func outline(r roundFacts) string {
	if len(r.asks) == 0 {
		return "asks nothing"
	}
	var names []string
	for _, a := range r.asks {
		names = append(names, strings.TrimSpace(a.key+" "+a.method))
	}
	return "asks " + strings.Join(names, ", ")
}

type differ struct {
	log    Log
	keys   []state.Key
	prefix string
	told   map[string]bool // differences of params that were listed
	out    []Difference
}

// words compares two texts; an empty one is not there.
func (d *differ) words(group, path, before, after string, quiet bool) {
	if before == after {
		return
	}
	x := Difference{Group: group, Path: path, Op: state.Changed, Before: []byte(before), After: []byte(after), Quiet: quiet}
	if before == "" {
		x.Op, x.Before = state.Added, nil
	}
	if after == "" {
		x.Op, x.After = state.Removed, nil
	}
	d.out = append(d.out, x)
}

// json compares two JSON values place by place; nil is not there.
func (d *differ) json(group, path string, before, after []byte, quiet func(path string) bool) {
	switch {
	case bytes.Equal(before, after):
	case before == nil:
		d.out = append(d.out, Difference{Group: group, Path: path, Op: state.Added, After: after, JSON: true})
	case after == nil:
		d.out = append(d.out, Difference{Group: group, Path: path, Op: state.Removed, Before: before, JSON: true})
	case len(before) > largest || len(after) > largest:
		d.words(group, path, text.Size(int64(len(before))), text.Size(int64(len(after)))+", too large to compare place by place", false)
	default:
		for _, c := range state.Diff(&state.Decoded{Payload: before}, &state.Decoded{Payload: after}) {
			d.out = append(d.out, Difference{Group: group, Path: path + c.Path, Op: c.Op, Before: c.Before, After: c.After,
				JSON: true, Quiet: quiet != nil && quiet(c.Path)})
		}
	}
}

func (d *differ) calls(a, b callFacts) {
	d.words("call", "method", a.method, b.method, false)
	d.words("call", "name", a.name, b.name, false)
	d.words("call", "outcome", a.status, b.status, false)
	d.words("call", "why it ended", a.note, b.note, a.withoutIDs() == b.withoutIDs())
	d.words("call", "rounds", strconv.Itoa(a.count), strconv.Itoa(b.count), false)
	d.words("call", "begun by", a.who, b.who, false)
	d.words("time", "in all", took(a.total), took(b.total), true)
}

func took(t time.Duration) string {
	if t == 0 {
		return ""
	}
	return text.Duration(t)
}

func (d *differ) rounds(a, b roundFacts) {
	d.messages(a, b)
	d.asks(a.asks, b.asks)
	if a.strange || b.strange || d.prefix == "" {
		d.state("state sent", a.in, b.in)
	}
	d.state("state given", a.out, b.out)
	d.headers(a, b)
	d.words(d.prefix+"time", "server", took(a.server), took(b.server), true)
	d.words(d.prefix+"time", "person", took(a.person), took(b.person), true)
}

// body reads a message; what cannot be read is a difference of its own.
func (d *differ) body(seq int) rpc.Message {
	if seq == 0 {
		return rpc.Message{}
	}
	raw, err := d.log.Body(seq)
	if err != nil {
		d.words(d.prefix+"message", "lost", "", err.Error(), false)
		return rpc.Message{}
	}
	return rpc.Peek(raw)
}

// messages compares what a round sent and what came of it, without what stands
// elsewhere: answers, asks and states.
func (d *differ) messages(a, b roundFacts) {
	q, r := d.body(a.request), d.body(b.request)
	d.words(d.prefix+"request", "method", q.Method, r.Method, false)
	d.words(d.prefix+"request", "id", string(q.ID), string(r.ID), true)
	without := func(params []byte) []byte {
		if params == nil {
			return nil
		}
		return rpc.With(params, rpc.Field{Name: "inputResponses"}, rpc.Field{Name: "requestState"})
	}
	d.params(without(q.Params), without(r.Params))
	d.json(d.prefix+"answers sent", "", d.given(q.Params, a.answered), d.given(r.Params, b.answered), nil)

	q, r = d.body(a.response), d.body(b.response)
	bare := func(result []byte) []byte {
		if result == nil {
			return nil
		}
		return rpc.With(result, rpc.Field{Name: "inputRequests"}, rpc.Field{Name: "requestState"})
	}
	d.json(d.prefix+"result", "", bare(q.Result), bare(r.Result), nil)
	d.json(d.prefix+"error", "", q.Error, r.Error, nil)
}

// given are the answers that a request carries. Of two calls only those to no
// ask: the others stand beside what they answer.
func (d *differ) given(params []byte, asked []string) []byte {
	answers := rpc.Member(params, "inputResponses")
	if d.prefix == "" || len(answers) == 0 || answers[0] != '{' {
		return answers
	}
	for _, key := range asked {
		answers = rpc.With(answers, rpc.Field{Name: key})
	}
	return answers
}

// params compares what two requests sent. The later rounds of a call repeat the
// params of the first, so what differs in all of them is told once.
func (d *differ) params(before, after []byte) {
	told := len(d.out)
	d.json(d.prefix+"params", "", before, after, func(path string) bool { return path == "/_meta/progressToken" })
	kept := d.out[:told]
	for _, x := range d.out[told:] {
		key := x.Path + "\n" + string(x.Before) + "\n" + string(x.After)
		if !d.told[key] {
			kept = append(kept, x)
		}
		if d.told == nil {
			d.told = map[string]bool{}
		}
		d.told[key] = true
	}
	d.out = kept
}

// asks compares what two rounds ask. Asks are the same by their key; then, where
// keys drift, by what they ask; then by their place.
func (d *differ) asks(a, b []askFacts) {
	pair := make([]int, len(a)) // index in b, -1 for none
	used := make([]bool, len(b))
	for i := range a {
		pair[i] = -1
	}
	for _, same := range []func(x, y askFacts, i, j int) bool{
		func(x, y askFacts, _, _ int) bool { return x.key != "" && x.key == y.key },
		func(x, y askFacts, _, _ int) bool { return x.method == y.method && bytes.Equal(x.params, y.params) },
		func(x, y askFacts, i, j int) bool { return i == j && x.method == y.method },
	} {
		for i := range a {
			for j := range b {
				if pair[i] < 0 && !used[j] && same(a[i], b[j], i, j) {
					pair[i], used[j] = j, true
				}
			}
		}
	}
	for i, x := range a {
		if pair[i] < 0 {
			d.json(d.prefix+"ask "+label(x, i), "", x.params, nil, nil)
			continue
		}
		d.ask(d.prefix+"ask "+label(x, i), x, b[pair[i]])
	}
	for j, y := range b {
		if !used[j] {
			d.json(d.prefix+"ask "+label(y, j), "", nil, y.params, nil)
		}
	}
}

func label(a askFacts, i int) string {
	if a.key != "" {
		return a.key
	}
	return strconv.Itoa(i + 1)
}

func (d *differ) ask(group string, a, b askFacts) {
	d.words(group, "key", a.key, b.key, false)
	d.words(group, "method", a.method, b.method, false)
	d.json(group, "", a.params, b.params, nil)
	if a.reply == nil && b.reply == nil {
		d.words(group, "how it stands", a.status, b.status, false)
	}
	d.json(strings.Replace(group, "ask ", "answer to ", 1), "", a.reply, b.reply, nil)
}

// state compares two requestStates by what they say where both can be read.
// Points in time move from run to run.
func (d *differ) state(group string, before, after []byte) {
	group = d.prefix + group
	if before == nil || after == nil {
		d.json(group, "", before, after, nil)
		return
	}
	a, b := state.Decode(string(before), d.keys...), state.Decode(string(after), d.keys...)
	c := state.Compare(a, b)
	if c.Same {
		return
	}
	d.words(group, "format", c.FormatBefore, c.FormatAfter, false)
	if a.Signature.Status != b.Signature.Status {
		d.words(group, "signature", a.Signature.String(), b.Signature.String(), false)
	}
	d.words(group, "size", text.Size(int64(a.Size())), text.Size(int64(b.Size())), true)
	if !c.Readable {
		d.json(group, "", before, after, func(string) bool { return false })
		return
	}
	for _, ch := range c.Changes {
		d.out = append(d.out, Difference{Group: group, Path: ch.Path, Op: ch.Op, Before: ch.Before, After: ch.After,
			JSON: true, Quiet: isTime(a, ch.Path) && isTime(b, ch.Path)})
	}
	if len(c.Changes) == 0 && c.FormatBefore == "" {
		d.out = append(d.out, Difference{Group: group, Path: "as sent", Op: state.Changed, Before: before, After: after, JSON: true, Quiet: true})
	}
}

func isTime(d *state.Decoded, path string) bool {
	for _, t := range d.Times {
		if t.Path == path {
			return true
		}
	}
	return false
}
