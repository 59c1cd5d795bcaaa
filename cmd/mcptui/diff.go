package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
)

func newDiff(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "diff RECORDING RECORDING", Short: "Print what differs between two recordings",
		Long: `Print what differs between two recordings: the server and its capabilities, its
lists, and the calls, matched by name and order. Times and ids do not count.
The exit code is 1 where anything differs.`,
		Example: "  mcptui diff before.jsonl after.jsonl",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("diff takes two recordings, got %d arguments", len(args))
			}
			before, damaged := readSession(args[0])
			if before == nil {
				return damaged
			}
			after, damagedToo := readSession(args[1])
			if after == nil {
				return damagedToo
			}
			found := compare(before, after)
			if damaged := errors.Join(damaged, damagedToo); damaged != nil {
				return a.failDiffering(unreadable(damaged), found)
			}
			return a.printDifferences(found)
		},
	}
}

// recorded is a recording with its fold.
type recorded struct {
	*session.Session
	events []trace.Event
}

// readSession folds a recording. Of one that is damaged, what could be read comes
// together with the error; nil is that nothing could.
func readSession(file string) (*recorded, error) {
	events, err := readRecording(file)
	if len(events) == 0 && err != nil {
		return nil, err
	}
	s := session.New()
	for _, e := range events {
		s.Apply(e)
	}
	return &recorded{s, events}, err
}

// difference is one thing that is not the same in both.
type difference struct {
	What   string          `json:"what"`
	Name   string          `json:"name,omitempty"`
	Change string          `json:"change"` // added, removed or changed
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
}

// compare lists the differences in the order in which a person would look.
func compare(a, b *recorded) []difference {
	var out []difference
	add := func(what, name string, before, after []byte) {
		switch {
		case sameJSON(before, after):
		case before == nil:
			out = append(out, difference{what, name, "added", nil, after})
		case after == nil:
			out = append(out, difference{what, name, "removed", before, nil})
		default:
			out = append(out, difference{what, name, "changed", before, after})
		}
	}
	text := func(s string) []byte { return rpc.Quote(s) }
	add("era", "", text(string(a.Conn.Era)), text(string(b.Conn.Era)))
	add("version", "", text(a.Conn.Version), text(b.Conn.Version))
	add("server", "", text(a.Conn.Server.Name+" "+a.Conn.Server.Version), text(b.Conn.Server.Name+" "+b.Conn.Server.Version))
	add("instructions", "", text(a.Conn.Instructions), text(b.Conn.Instructions))
	add("capabilities", "", a.Conn.Capabilities, b.Conn.Capabilities)
	lists := func(s *recorded) []*session.List {
		return []*session.List{&s.Catalogue.Tools, &s.Catalogue.Prompts, &s.Catalogue.Resources, &s.Catalogue.Templates}
	}
	for i, what := range []string{"tool", "prompt", "resource", "template"} {
		before, after := lists(a)[i], lists(b)[i]
		for _, name := range names(before, after) {
			x, _ := before.Item(name)
			y, _ := after.Item(name)
			add(what, name, x.Raw, y.Raw)
		}
	}
	compareCalls(a, b, add)
	return out
}

// names are the keys of both lists, each once.
func names(lists ...*session.List) []string {
	var out []string
	seen := map[string]bool{}
	for _, l := range lists {
		for _, it := range l.Items {
			if !seen[it.Key()] {
				seen[it.Key()] = true
				out = append(out, it.Key())
			}
		}
	}
	return out
}

// compareCalls matches the calls of each name in their order.
func compareCalls(a, b *recorded, add func(what, name string, before, after []byte)) {
	type key struct {
		method, name string
		nth          int
	}
	index := func(s *recorded) (map[key]*session.Call, []key) {
		byKey, count, order := map[key]*session.Call{}, map[key]int{}, []key{}
		for _, c := range s.Calls {
			k := key{c.Method, c.Name, 0}
			count[k]++
			k.nth = count[k]
			byKey[k] = c
			order = append(order, k)
		}
		return byKey, order
	}
	before, order := index(a)
	after, more := index(b)
	for _, k := range append(order, more...) {
		x, y := before[k], after[k]
		if x == nil && y == nil {
			continue
		}
		add("call", strings.TrimSpace(fmt.Sprintf("%s %s #%d", k.method, k.name, k.nth)), a.outline(x), b.outline(y))
		delete(before, k)
		delete(after, k)
	}
}

// outline is what a call comes down to: its params, the asks of each round with
// their answers, how it ended.
func (s *recorded) outline(c *session.Call) []byte {
	if c == nil {
		return nil
	}
	rounds := []byte{'['}
	for i, r := range c.Rounds {
		if i > 0 {
			rounds = append(rounds, ',')
		}
		asks := []byte{'['}
		for j, id := range r.Asks {
			if j > 0 {
				asks = append(asks, ',')
			}
			ask := s.Ask(id)
			asks = append(asks, rpc.Object(
				rpc.Field{Name: "key", Raw: rpc.Quote(id.Key)}, rpc.Field{Name: "method", Raw: rpc.Quote(ask.Method)},
				rpc.Field{Name: "params", Raw: ask.Params}, rpc.Field{Name: "answer", Raw: ask.Reply})...)
		}
		rounds = append(append(rounds, asks...), ']')
	}
	var result []byte
	if r := c.LastRound(); r != nil && r.Response != 0 {
		m := s.events[r.Response-1].Frame.Message()
		if result = m.Result; result == nil {
			result = m.Error
		}
	}
	return rpc.Object(
		rpc.Field{Name: "params", Raw: orNull(c.Params)}, rpc.Field{Name: "rounds", Raw: append(rounds, ']')},
		rpc.Field{Name: "status", Raw: rpc.Quote(string(c.Status))}, rpc.Field{Name: "result", Raw: orNull(result)})
}

func orNull(raw []byte) []byte {
	if raw == nil {
		return []byte("null")
	}
	return raw
}

// sameJSON compares JSON by meaning, but numbers as they are written.
func sameJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, errA := canonical(a)
	y, errB := canonical(b)
	return errA == nil && errB == nil && bytes.Equal(x, y)
}

func canonical(raw []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

func (a *app) printDifferences(found []difference) error {
	if a.flags.json {
		raw, err := differencesJSON(found)
		if err != nil {
			return err
		}
		if err := a.printJSON(raw); err != nil {
			return err
		}
	} else if err := a.print(differencesText(found)); err != nil {
		return err
	}
	if len(found) > 0 {
		return quiet{exitToolError}
	}
	return nil
}

// failDiffering fails, but with what differs as far as both could be read.
func (a *app) failDiffering(f *failure, found []difference) error {
	if !a.flags.json {
		return errors.Join(f, a.print(differencesText(found)))
	}
	raw, err := differencesJSON(found)
	f.data = raw
	return errors.Join(f, err)
}

func differencesJSON(found []difference) ([]byte, error) {
	raw, err := encode(map[string]any{"differences": append([]difference{}, found...)})
	if err != nil {
		return nil, fmt.Errorf("write differences: %w", err)
	}
	return raw, nil
}

func differencesText(found []difference) string {
	var b strings.Builder
	for _, d := range found {
		fmt.Fprintf(&b, "%s %s %s\n", d.What, d.Name, d.Change)
		if d.Before != nil {
			fmt.Fprintf(&b, "  - %s\n", d.Before)
		}
		if d.After != nil {
			fmt.Fprintf(&b, "  + %s\n", d.After)
		}
	}
	if len(found) == 0 {
		b.WriteString("no differences\n")
	}
	return b.String()
}
