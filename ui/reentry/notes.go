package reentry

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// note is something that was written in a round.
type note struct {
	kind  string
	text  string // as it was written
	round int
	seq   int
}

// notes reads what was written in the rounds, line by line.
func notes(rounds []round, log Log) (out []note) {
	for _, r := range rounds {
		for _, seq := range r.notes {
			e, ok := log.Event(seq)
			if !ok {
				continue
			}
			for _, n := range read(e) {
				n.round, n.seq = r.n, seq
				out = append(out, n)
			}
		}
	}
	return out
}

func read(e trace.Event) []note {
	switch {
	case e.Stderr != nil:
		return lines("stderr", e.Stderr.Bytes)
	case e.Noise != nil:
		return lines("stray output", e.Noise.Bytes)
	case e.Frame != nil:
		m := e.Frame.Message()
		switch m.Method {
		case "notifications/message":
			data := rpc.Member(m.Params, "data")
			said, ok := rpc.String(data)
			if !ok {
				said = string(data)
			}
			return []note{{kind: "log", text: strings.TrimSpace(rpc.Text(m.Params, "level") + ": " + said)}}
		case "notifications/progress":
			said := string(rpc.Member(m.Params, "progress"))
			if total := rpc.Member(m.Params, "total"); total != nil {
				said += "/" + string(total)
			}
			return []note{{kind: "progress", text: strings.TrimSpace(said + " " + rpc.Text(m.Params, "message"))}}
		}
	}
	return nil
}

func lines(kind string, raw []byte) (out []note) {
	for line := range strings.Lines(string(raw)) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, note{kind: kind, text: line})
		}
	}
	return out
}

var digits = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9]+([.,:][0-9]+)*`) })

// repeated is one thing that was written in several rounds.
type repeated struct {
	note
	rounds []int
	times  int
	alike  bool // the numbers in it differ, such as the time of day
}

// repeats finds what was written in more than one round. Lines that differ in
// their numbers only are the same line at another time.
func repeats(all []note) (out []*repeated) {
	group := func(key func(note) string, from []note) (found []*repeated, rest []note) {
		byKey := map[string]*repeated{}
		var order []*repeated
		for _, n := range from {
			k := n.kind + "\n" + key(n)
			r := byKey[k]
			if r == nil {
				r = &repeated{note: n}
				byKey[k] = r
				order = append(order, r)
			}
			r.times++
			r.alike = r.alike || n.text != r.text
			if !slices.Contains(r.rounds, n.round) {
				r.rounds = append(r.rounds, n.round)
			}
		}
		for _, r := range order {
			if len(r.rounds) > 1 {
				found = append(found, r)
			}
		}
		for _, n := range from {
			if len(byKey[n.kind+"\n"+key(n)].rounds) == 1 {
				rest = append(rest, n)
			}
		}
		return found, rest
	}
	exact, rest := group(func(n note) string { return n.text }, all)
	alike, _ := group(func(n note) string { return digits().ReplaceAllString(n.text, "0") }, rest)
	out = append(exact, alike...)
	slices.SortStableFunc(out, func(a, b *repeated) int { return a.seq - b.seq })
	return out
}

// numbers words rounds: "rounds 1, 2 and 4".
func numbers(rounds []int) string {
	words := make([]string, len(rounds))
	for i, n := range rounds {
		words[i] = fmt.Sprint(n)
	}
	if len(words) == 1 {
		return "round " + words[0]
	}
	return "rounds " + strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
