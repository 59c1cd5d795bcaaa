package ask

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// call is what the three methods that may ask have in common.
type call struct {
	method, name string
	args         json.RawMessage
	meta         mcp.Meta
	responses    mcp.InputResponseMap
	state        string
	session      *mcp.ServerSession
	extra        *mcp.RequestExtra
	revision     string
	declared     declared
}

func (c call) modern() bool { return c.revision >= modernRevision }

// callOf reads a request, and reports whether its method may ask.
func callOf(req mcp.Request) (call, bool) {
	var c call
	switch p := req.GetParams().(type) {
	case *mcp.CallToolParamsRaw:
		if p == nil {
			return c, false
		}
		c = call{method: "tools/call", name: p.Name, args: p.Arguments, meta: p.Meta, responses: p.InputResponses, state: p.RequestState}
	case *mcp.GetPromptParams:
		if p == nil {
			return c, false
		}
		args, err := json.Marshal(p.Arguments)
		if err != nil { // not reachable: a map of strings
			args = nil
		}
		c = call{method: "prompts/get", name: p.Name, args: args, meta: p.Meta, responses: p.InputResponses, state: p.RequestState}
	case *mcp.ReadResourceParams:
		if p == nil {
			return c, false
		}
		c = call{method: "resources/read", name: p.URI, meta: p.Meta, responses: p.InputResponses, state: p.RequestState}
	default:
		return c, false
	}
	c.extra = req.GetExtra()
	c.session, _ = req.GetSession().(*mcp.ServerSession)
	c.revision = revisionOf(c.session, c.meta)
	c.declared = declaredBy(c.revision, c.meta, c.session)
	return c, true
}

// revisionOf is the revision that a request is to be answered in. What a
// handshake negotiated stands: a request of such a session cannot raise it.
func revisionOf(session *mcp.ServerSession, meta mcp.Meta) string {
	if session != nil {
		if init := session.InitializeParams(); init != nil && init.ProtocolVersion != "" && init.ProtocolVersion < modernRevision {
			return init.ProtocolVersion
		}
	}
	v, _ := meta[mcp.MetaKeyProtocolVersion].(string)
	return v
}

// admit verifies the state of a modern request. What a handshake-era request
// carries there means nothing, and is not looked at.
func (l *Layer) admit(ctx context.Context, c call) (claims, *jsonrpc.Error) {
	if c.state == "" {
		return claims{}, nil
	}
	var cl claims
	err := errStateNoKey
	if l.seal != nil {
		cl, err = l.seal.open(c.state, l.cfg.Principal(ctx, c.extra), digest(c.method, c.name, c.args))
	}
	if err != nil {
		l.cfg.Logger.Warn("requestState refused", "method", c.method, "name", c.name, "reason", err)
		return claims{}, errState()
	}
	return cl, nil
}

// run enters a handler, and gives its result, or the asks and the state to
// send in its place.
func run[R any](ctx context.Context, l *Layer, c call, handler func(*Input) (R, error)) (res R, asks mcp.InputRequestMap, state string, err error) {
	var zero R
	defer func() {
		if r := recover(); r != nil {
			res, asks, state, err = zero, nil, "", l.panicked(c.method+" "+c.name, r)
		}
	}()
	if !c.modern() {
		res, err = runLegacy(ctx, l, c, handler)
		return res, nil, "", err
	}
	cl, refused := l.admit(ctx, c)
	if refused != nil {
		return zero, nil, "", refused
	}
	in := newInput(l, c)
	in.asked, in.carried, in.data = cl.Asked, cl.Answers, cl.Data
	in.round = rawResponses(c)
	in.retry = c.state != "" || l.seal == nil && in.round != nil
	if l.seal != nil {
		for key := range in.round {
			if _, ok := cl.Asked[key]; !ok {
				l.cfg.Logger.Info("answer to what was not asked, ignored", "method", c.method, "name", c.name, "key", key)
				delete(in.round, key)
			}
		}
	}
	res, err = handler(in)
	out, fault := in.concluded(err)
	switch {
	case fault != nil:
		return zero, nil, "", l.bug(c, fault)
	case out == nil:
		return res, nil, "", finished(err)
	}
	if e := c.declared.check(out.asks); e != nil {
		l.cfg.Logger.Warn("handler asks for what the client did not declare", "method", c.method, "name", c.name)
		return zero, nil, "", e
	}
	if state, err = l.stateFor(ctx, c, in, out); err != nil {
		return zero, nil, "", err
	}
	return zero, out.asks, state, nil
}

// stateFor seals what the next round has to know. With a key every ask gets a
// state, since that is what makes its answer count.
func (l *Layer) stateFor(ctx context.Context, c call, in *Input, out *outcome) (string, error) {
	answers := in.carry()
	if l.seal == nil {
		if len(answers) == 0 && out.data == nil {
			return "", nil
		}
		l.cfg.Logger.Error("answers or state to carry, and no sealing key", "method", c.method, "name", c.name)
		return "", internalError("%s %q asks again and has to carry what it knows in a requestState, for which the server has no sealing key: set one in ask.Config.Keys, or in the environment as MCP_REQUEST_STATE_KEY", c.method, c.name)
	}
	state, err := l.seal.seal(claims{
		Principal: l.cfg.Principal(ctx, c.extra),
		Request:   digest(c.method, c.name, c.args),
		Asked:     out.records,
		Answers:   answers,
		Data:      out.data,
	})
	if err != nil {
		return "", l.bug(c, err)
	}
	return state, nil
}

// finished turns the error that a handler returned into the one to send. An
// error of the protocol is unwrapped, since the SDK knows only a bare one.
func finished(err error) error {
	var wire *jsonrpc.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wire):
		return wire
	case errors.Is(err, ErrHandshakeOnly):
		return internalError("%v", err)
	}
	return err
}

func (l *Layer) bug(c call, err error) *jsonrpc.Error {
	l.cfg.Logger.Error("handler mistake", "method", c.method, "name", c.name, "error", err)
	return internalError("%s %q: %v", c.method, c.name, err)
}

func (l *Layer) panicked(where string, r any) *jsonrpc.Error {
	l.cfg.Logger.Error("handler panicked", "in", where, "panic", r, "stack", string(debug.Stack()))
	return internalError(Unexplained)
}

// rawResponses is the inputResponses of a request as they came, or nil where
// there were none or they were no object.
func rawResponses(c call) map[string]json.RawMessage {
	if v, ok := c.meta[MetaRawResponses]; ok {
		var out map[string]json.RawMessage
		if s, isText := v.(string); isText {
			if json.Unmarshal([]byte(s), &out) != nil {
				return nil
			}
			return out
		}
		b, err := json.Marshal(v)
		if err != nil || json.Unmarshal(b, &out) != nil {
			return nil
		}
		return out
	}
	if c.responses == nil {
		return nil
	}
	out := make(map[string]json.RawMessage, len(c.responses))
	for key, a := range c.responses {
		if b, err := json.Marshal(a); err == nil {
			out[key] = b
		}
	}
	return out
}
