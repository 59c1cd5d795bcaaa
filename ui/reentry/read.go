package reentry

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"mcptui/client/rpc"
	"mcptui/client/state"
	"mcptui/ui/draw"
	"mcptui/ui/text"
)

// Finding is one thing that re-entry shows.
type Finding struct {
	Rule   string // "repeated", "time", "ask-drift", "state-same", "state-growth"
	Warn   bool   // likely a fault of the handler
	Text   string // not cleaned: it holds what the server wrote
	Rounds []int
	Seq    int // the event that shows it first, 0 for none
}

// Read says what the handler of a call did again.
func Read(f Facts, log Log) []Finding {
	var out []Finding
	out = append(out, drift(f)...)
	out = append(out, states(f)...)
	out = append(out, counted(f)...)
	for _, r := range repeats(notes(f.rounds, log)) {
		said := fmt.Sprintf("%s in %s: %s", r.kind, numbers(r.rounds), r.text)
		if r.alike {
			said += "  (with other numbers)"
		}
		out = append(out, Finding{Rule: "repeated", Text: said, Rounds: r.rounds, Seq: r.seq})
	}
	for _, r := range f.rounds {
		if r.more > 0 {
			out = append(out, Finding{Rule: "repeated", Text: fmt.Sprintf("round %d: %d notes more were not looked at", r.n, r.more), Rounds: []int{r.n}})
		}
	}
	return append(out, times(f)...)
}

// times says how long the server worked before each ask. What it does above an
// ask costs that time again in each later round.
func times(f Facts) []Finding {
	var words []string
	var rounds []int
	var all, again time.Duration
	for _, r := range f.rounds {
		if !r.turned {
			continue
		}
		what := "before its end"
		if len(r.asks) > 0 {
			what = "before it asks " + names(r.asks)
		}
		words = append(words, fmt.Sprintf("round %d %s %s", r.n, text.Duration(r.server), what))
		rounds = append(rounds, r.n)
		all += r.server
		if r.n > 1 {
			again += r.server
		}
	}
	if len(words) < 2 {
		return nil
	}
	return []Finding{{Rule: "time", Rounds: rounds, Text: fmt.Sprintf("the server's time: %s; %s in all, %s of it after the first round",
		strings.Join(words, ", "), text.Duration(all), text.Duration(again))}}
}

func names(asks []ask) string {
	var out []string
	for i, a := range asks {
		out = append(out, name(a, i))
	}
	return strings.Join(out, ", ")
}

func name(a ask, i int) string {
	if a.key != "" {
		return `"` + a.key + `"`
	}
	return fmt.Sprintf("%s (%d)", a.method, i+1)
}

// drift finds asks that are not the same each time they are asked: within the
// call, and against the run before.
func drift(f Facts) []Finding {
	var out []Finding
	for i, r := range f.rounds {
		for _, earlier := range f.rounds[:i] {
			for _, a := range r.asks {
				for _, b := range earlier.asks {
					out = append(out, against(b, a, fmt.Sprintf("round %d", earlier.n), fmt.Sprintf("round %d", r.n), []int{earlier.n, r.n})...)
				}
			}
		}
	}
	if f.before != nil {
		out = append(out, runs(f)...)
	}
	return out
}

// against compares two asks that have a key or a question in common.
func against(b, a ask, before, now string, rounds []int) []Finding {
	if a.key == "" || b.key == "" || a.method != b.method {
		return nil // asks of the legacy era have no key to drift
	}
	found := func(format string, args ...any) Finding {
		return Finding{Rule: "ask-drift", Warn: true, Text: fmt.Sprintf(format, args...), Rounds: rounds}
	}
	switch {
	case a.key != b.key && bytes.Equal(a.params, b.params):
		return []Finding{found("the same question has the key %q in %s and %q in %s: an answer to the one does not find the other", b.key, before, a.key, now)}
	case a.key != b.key:
		return nil
	}
	return differs(b, a, before, now, found)
}

func differs(b, a ask, before, now string, found func(string, ...any) Finding) (out []Finding) {
	if a.message != b.message {
		out = append(out, found("ask %s has another message in %s than in %s: %q became %q", name(a, 0), now, before, b.message, a.message))
	}
	was, is := rpc.Member(b.params, "requestedSchema"), rpc.Member(a.params, "requestedSchema")
	if bytes.Equal(was, is) {
		return out
	}
	var paths []string
	for _, c := range state.Diff(&state.Decoded{Payload: orNull(was)}, &state.Decoded{Payload: orNull(is)}) {
		paths = append(paths, string(c.Op)+" "+c.Path)
	}
	if paths != nil {
		out = append(out, found("ask %s has another schema in %s than in %s: %s", name(a, 0), now, before, strings.Join(paths, ", ")))
	}
	return out
}

func orNull(raw []byte) []byte {
	if raw == nil {
		return []byte("null")
	}
	return raw
}

// runs compares what is asked with the run before, as far as the answers were
// the same in both.
func runs(f Facts) (out []Finding) {
	for i, r := range f.rounds {
		if i >= len(f.before.rounds) {
			return out
		}
		o := f.before.rounds[i]
		here, there := fmt.Sprintf("round %d", r.n), fmt.Sprintf("the same round of call %d", f.before.call)
		found := func(format string, args ...any) Finding {
			return Finding{Rule: "ask-drift", Warn: true, Text: fmt.Sprintf(format, args...), Rounds: []int{r.n}}
		}
		if len(r.asks) != len(o.asks) {
			if r.turned && o.turned {
				out = append(out, found("%s asks %s, %s %s", here, orNothing(r.asks), there, orNothing(o.asks)))
			}
			return out
		}
		for j := range r.asks {
			a := r.asks[j]
			b := o.asks[match(o.asks, a, j)]
			if a.key != b.key {
				out = append(out, found("%s asks by the key %q, %s by %q, with the same arguments and answers", here, a.key, there, b.key))
			}
			if a.method != b.method {
				out = append(out, found("%s asks by %s, %s by %s", here, a.method, there, b.method))
				continue
			}
			out = append(out, differs(b, a, there, here, found)...)
		}
		for j := range r.asks {
			if !bytes.Equal(r.asks[j].reply, o.asks[match(o.asks, r.asks[j], j)].reply) {
				return out // from here on the two are free to differ
			}
		}
	}
	return out
}

// match finds the ask of another run by its key, else the one in its place.
func match(asks []ask, a ask, place int) int {
	for i, b := range asks {
		if a.key != "" && a.key == b.key {
			return i
		}
	}
	return place
}

func orNothing(asks []ask) string {
	if len(asks) == 0 {
		return "asks nothing"
	}
	return "asks " + names(asks)
}

// states finds states that do not take an answer in, and states that grow.
func states(f Facts) (out []Finding) {
	var sizes []string
	var rounds []int
	first, last := 0, 0
	grew := true
	for _, r := range f.rounds {
		if r.out == nil {
			continue
		}
		size := state.Decode(string(r.out)).Size()
		if len(sizes) > 0 && size <= last {
			grew = false
		}
		if len(sizes) == 0 {
			first = size
		}
		last = size
		sizes, rounds = append(sizes, text.Size(int64(size))), append(rounds, r.n)
		if r.in == nil || !r.answered {
			continue
		}
		switch a, b := state.Decode(string(r.in)), state.Decode(string(r.out)); {
		case bytes.Equal(r.in, r.out):
			out = append(out, Finding{Rule: "state-same", Warn: true, Rounds: []int{r.n},
				Text: fmt.Sprintf("round %d gives back the state that it was given, byte for byte, though answers came with it: where it is goes by nothing but them", r.n)})
		case a.Payload != nil && b.Payload != nil && onlyTimes(a, b):
			out = append(out, Finding{Rule: "state-same", Warn: true, Rounds: []int{r.n},
				Text: fmt.Sprintf("round %d gives a state that says the same as the one it was given, but for its times, though answers came with it", r.n)})
		}
	}
	if grew && len(sizes) > 1 {
		out = append(out, Finding{Rule: "state-growth", Warn: last > large, Rounds: rounds,
			Text: fmt.Sprintf("the state grows in each round: %s (%+d bytes)", strings.Join(sizes, ", "), last-first)})
	}
	return out
}

// counted finds what differs in the first state of two runs with the same
// arguments, where nothing was answered yet: a number that counts on says that
// something was done before the ask.
func counted(f Facts) (out []Finding) {
	if f.before == nil || len(f.rounds) == 0 || len(f.before.rounds) == 0 {
		return nil
	}
	was, is := f.before.rounds[0], f.rounds[0]
	if was.out == nil || is.out == nil || was.answered || is.answered {
		return nil
	}
	a, b := state.Decode(string(was.out)), state.Decode(string(is.out))
	for _, c := range state.Diff(a, b) {
		x, ok := integer(c.Before)
		y, ok2 := integer(c.After)
		if !ok || !ok2 || y <= x || y-x > counts || atTime(b, c.Path) {
			continue
		}
		out = append(out, Finding{Rule: "counted", Warn: true, Rounds: []int{is.n},
			Text: fmt.Sprintf("the first state says %d at %s, that of call %d said %d, with the same arguments and no answer yet: something was counted before the ask", y, c.Path, f.before.call, x)})
	}
	return out
}

// counts is how far a counter goes on from one run to the next, at most; a
// larger step is more likely a time or a random number.
const counts = 100

func integer(raw []byte) (int, bool) {
	n, err := strconv.Atoi(string(raw))
	return n, err == nil
}

func atTime(d *state.Decoded, path string) bool {
	for _, t := range d.Times {
		if t.Path == path {
			return true
		}
	}
	return false
}

// onlyTimes reports whether two states say the same, points in time left out.
func onlyTimes(a, b *state.Decoded) bool {
	for _, c := range state.Diff(a, b) {
		if !atTime(a, c.Path) || !atTime(b, c.Path) {
			return false
		}
	}
	return true
}

// large is a state, in bytes, that proxies and logs begin to mind.
const large = 8 << 10

// Lines lays findings out.
func Lines(f Facts, found []Finding, t *draw.Theme) []draw.Line {
	var out []draw.Line
	switch {
	case len(f.rounds) < 2 && len(found) == 0:
		return []draw.Line{draw.L(t.Faint, "one round so far: nothing was run again")}
	case f.modern:
		out = append(out, draw.L(t.Faint, "each round runs the handler again from the top; what of that can be seen:"))
	default:
		out = append(out, draw.L(t.Faint, "in this era all rounds lie in one request; what repeats in it:"))
	}
	for _, x := range found {
		mark, st := "● ", t.Text
		if x.Warn {
			mark, st = "⚠ ", t.Warn
		}
		out = append(out, draw.L(st, mark+text.CleanLine(x.Text)))
	}
	if len(found) == 0 {
		out = append(out, draw.L(t.Good, "✓ nothing repeats, no ask drifts"))
	}
	return out
}
