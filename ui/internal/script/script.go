// Package script writes event logs by hand, for tests: what a connection would
// have put into its log, with a clock that only the test moves. It speaks to no
// server; what it writes is checked by whoever reads it.
package script

import (
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// Start is the wall clock at session time 0.
var Start = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// Script appends to a log.
type Script struct {
	Log *trace.Log
	Era trace.Era

	mu    sync.Mutex
	now   time.Time
	id    int // last request id of ours
	calls int
}

// New returns a script on an empty log.
func New() *Script {
	s := &Script{now: Start}
	s.Log = trace.NewLog(s.Now)
	return s
}

// Now is the script's clock.
func (s *Script) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// Wait moves the clock.
func (s *Script) Wait(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

// Phase appends a phase of the connection.
func (s *Script) Phase(p trace.Phase) int { return s.Log.Append(trace.Event{Phase: &p}) }

// Act appends an act.
func (s *Script) Act(a trace.Act) int {
	if a.Who == "" {
		a.Who = trace.Person
	}
	return s.Log.Append(trace.Event{Act: &a})
}

// Send appends a frame of ours.
func (s *Script) Send(cause trace.Cause, frame []byte) int {
	return s.Log.Append(trace.Event{Frame: &trace.Frame{Dir: trace.Out, Bytes: frame, Cause: cause}})
}

// Come appends a frame of the server's.
func (s *Script) Come(frame []byte) int {
	return s.Log.Append(trace.Event{Frame: &trace.Frame{Dir: trace.In, Bytes: frame}})
}

// Stderr appends what a child wrote to its standard error.
func (s *Script) Stderr(text string) int {
	return s.Log.Append(trace.Event{Stderr: &trace.Stderr{Bytes: []byte(text)}})
}

// Noise appends a stray line.
func (s *Script) Noise(line, why string) int {
	return s.Log.Append(trace.Event{Noise: &trace.Noise{Bytes: []byte(line + "\n"), Why: why}})
}

// Request sends a request and returns its frame and id.
func (s *Script) Request(cause trace.Cause, method string, params any) (frame int, id rpc.ID) {
	s.id++
	id = rpc.NumberID(s.id)
	return s.Send(cause, rpc.Encode(id, method, raw(params), nil, nil)), id
}

// Result answers a request of ours.
func (s *Script) Result(id rpc.ID, result any) int {
	return s.Come(rpc.Encode(id, "", nil, raw(result), nil))
}

// Failure answers a request of ours with an error.
func (s *Script) Failure(id rpc.ID, code int, message string) int {
	return s.Come(rpc.Encode(id, "", nil, nil, rpc.EncodeError(code, message)))
}

// Ready makes the connection ready, with a server called demo.
func (s *Script) Ready(era trace.Era) {
	s.Era = era
	version := "2026-07-28"
	if era == trace.Legacy {
		version = "2025-11-25"
	}
	info := map[string]any{"name": "demo", "version": "1.0.0"}
	capabilities := map[string]any{"tools": map[string]any{"listChanged": true}, "prompts": map[string]any{}, "resources": map[string]any{}}
	s.Phase(trace.Phase{Name: trace.PhaseStarting, Transport: "in-process", Target: "built-in server"})
	if era == trace.Modern {
		s.Phase(trace.Phase{Name: trace.PhaseProbing, Reason: "asking server/discover"})
		_, id := s.Request(trace.Cause{Why: trace.WhyProbe}, "server/discover", map[string]any{"_meta": meta(0)})
		s.Wait(2 * time.Millisecond)
		s.Result(id, map[string]any{"resultType": "complete", "supportedVersions": []string{version},
			"capabilities": capabilities, "ttlMs": 60000, "cacheScope": "public", "_meta": map[string]any{"io.modelcontextprotocol/serverInfo": info}})
	} else {
		_, id := s.Request(trace.Cause{Why: trace.WhyInitialize}, "initialize", map[string]any{
			"protocolVersion": version, "capabilities": map[string]any{"elicitation": map[string]any{}},
			"clientInfo": map[string]any{"name": "mcptui", "version": "dev"}})
		s.Wait(2 * time.Millisecond)
		s.Result(id, map[string]any{"protocolVersion": version, "capabilities": capabilities, "serverInfo": info})
		s.Send(trace.Cause{Why: trace.WhyInitialize}, rpc.Encode("", "notifications/initialized", nil, nil, nil))
	}
	s.Phase(trace.Phase{Name: trace.PhaseReady, Era: era, Version: version, Reason: "the server lists " + version})
}

// List sends a list request and its one page; items are JSON.
func (s *Script) List(method, member string, items ...string) {
	_, id := s.Request(trace.Cause{Why: trace.WhyList}, method, s.params(nil, 0))
	s.Wait(3 * time.Millisecond)
	list := []json.RawMessage{}
	for _, it := range items {
		list = append(list, json.RawMessage(it))
	}
	s.Result(id, s.complete(map[string]any{member: list}, true))
}

// complete makes a result of the era: in the modern one it says that it is
// complete, from which server it is, and how long it may be kept.
func (s *Script) complete(result map[string]any, cache bool) map[string]any {
	if s.Era != trace.Modern {
		return result
	}
	result["resultType"] = "complete"
	result["_meta"] = map[string]any{"io.modelcontextprotocol/serverInfo": map[string]any{"name": "demo", "version": "1.0.0"}}
	if cache {
		result["ttlMs"], result["cacheScope"] = 60000, "private"
	}
	return result
}

// Call begins a call of a tool and sends its first request.
func (s *Script) Call(name string, args any) *Call { return s.Again(0, name, args) }

// Again begins a call that runs another one again, 0 for none.
func (s *Script) Again(of int, name string, args any) *Call {
	s.calls++
	c := &Call{s: s, ID: s.calls, name: name, args: args, round: 1}
	s.Act(trace.Act{Kind: trace.ActCall, Call: c.ID, Method: "tools/call", Name: name, Value: raw(c.bare()), Again: of})
	c.request, c.id = s.Request(trace.Cause{Why: trace.WhyCall, Call: c.ID, Round: 1}, "tools/call", s.params(c.bare(), c.ID))
	return c
}

func (s *Script) params(p map[string]any, call int) map[string]any {
	out := map[string]any{}
	for k, v := range p {
		out[k] = v
	}
	if s.Era == trace.Modern {
		out["_meta"] = meta(call)
	} else if call != 0 {
		out["_meta"] = map[string]any{"progressToken": call}
	}
	return out
}

func meta(call int) map[string]any {
	m := map[string]any{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": map[string]any{"elicitation": map[string]any{"form": map[string]any{}, "url": map[string]any{}}, "sampling": map[string]any{}, "roots": map[string]any{}},
		"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "mcptui", "version": "dev"},
	}
	if call != 0 {
		m["progressToken"] = call
	}
	return m
}

// raw encodes a value; what a test cannot encode is the test's own mistake.
func raw(v any) []byte {
	if v == nil {
		return nil
	}
	switch v := v.(type) {
	case []byte:
		return v
	case json.RawMessage:
		return v
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("script: %v", err))
	}
	return b
}

func serverID(n int) rpc.ID { return rpc.ID(rpc.Quote("s-" + strconv.Itoa(n))) }
