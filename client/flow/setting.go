package flow

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcptui/client/control"
	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// Set changes how the client behaves from the next request on.
func (f *Flow) Set(now time.Duration, s control.Setting) error {
	f.now = now
	if s.Capabilities != nil && (!json.Valid(s.Capabilities) || !isObject(s.Capabilities)) {
		return no("the capabilities are not a JSON object")
	}
	if s.Capabilities != nil {
		f.cfg.Capabilities = oneLine(s.Capabilities)
		note := ""
		if f.stage == stageReady && !f.modern() {
			note = "declared only when a connection begins: reconnect to declare them"
		}
		f.set("capabilities", f.cfg.Capabilities, note)
	}
	if s.LogLevel != nil {
		f.cfg.LogLevel = *s.LogLevel
		f.set("log level", rpc.Quote(*s.LogLevel), "")
		f.setLevel()
	}
	if s.Roots != nil {
		f.cfg.Roots = slices.Clone(*s.Roots)
		f.set("roots", f.roots(), "")
		if f.stage == stageReady && !f.modern() && rpc.Member(f.cfg.Capabilities, "roots") != nil {
			f.notify("notifications/roots/list_changed", nil, trace.Cause{Why: trace.WhySetting})
		}
	}
	if s.Rounds != nil && *s.Rounds > 0 {
		f.cfg.Rounds = *s.Rounds
		f.set("rounds", []byte(strconv.Itoa(*s.Rounds)), "")
	}
	if s.Timeout != nil && *s.Timeout > 0 {
		f.cfg.Timeout = *s.Timeout
		f.set("timeout", rpc.Quote(s.Timeout.String()), "")
	}
	if s.Extend != 0 {
		return f.extend(s.Extend)
	}
	return nil
}

func (f *Flow) set(name string, value []byte, note string) {
	f.act(trace.Act{Who: trace.Person, Kind: trace.ActSet, Name: name, Value: value, Note: note})
}

// extend gives the open requests of a call their timeout once more.
func (f *Flow) extend(id int) error {
	c, err := f.callOf(id)
	if err != nil {
		return err
	}
	found := false
	for _, r := range f.open {
		if r.call == c {
			r.left += r.timeout
			found = true
		}
	}
	if !found {
		return no("no request of call %d is open", id)
	}
	f.act(trace.Act{Who: trace.Person, Kind: trace.ActSet, Call: id, Name: "extend", Value: rpc.Quote(c.timeout.String())})
	return nil
}

// setLevel tells a legacy server the log level; in the modern era it is part of
// every request.
func (f *Flow) setLevel() {
	if f.stage != stageReady || f.modern() || f.cfg.LogLevel == "" || rpc.Member(f.caps, "logging") == nil {
		return
	}
	r := &request{
		method: "logging/setLevel", base: rpc.Object(rpc.Field{Name: "level", Raw: rpc.Quote(f.cfg.LogLevel)}),
		cause: trace.Cause{Why: trace.WhySetting}, timeout: f.cfg.Timeout,
	}
	r.done = func(r *request, o outcome) {
		f.leveled(r)
		f.toldOf(r, o)
	}
	f.leveling = r
	f.send(r)
	f.after(levelWait, nil, func() { f.leveled(r) })
}

// levelWait is how long calls wait for a server to take the level of its logs. One
// that is called before may leave its first messages out; one that never answers
// is called all the same.
const levelWait = time.Second

func (f *Flow) leveled(r *request) {
	if f.leveling == r {
		f.leveling = nil
		f.flush()
	}
}

// Notify sends a notification, or any request that belongs to no call.
func (f *Flow) Notify(now time.Duration, method string, params json.RawMessage) error {
	f.now = now
	switch {
	case f.stage != stageReady:
		return no("the connection is not ready")
	case method == "":
		return no("a message needs a method")
	case params != nil && !json.Valid(params):
		return no("the params of %s are not JSON", method)
	}
	cause := trace.Cause{Why: trace.WhyRaw}
	if strings.HasPrefix(method, "notifications/") {
		f.notify(method, oneLine(params), cause)
		return nil
	}
	f.send(&request{method: method, base: oneLine(params), cause: cause, timeout: f.cfg.Timeout, done: f.toldOf})
	return nil
}
