package ask

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// errUnusable marks an answer of the handshake era that does not fit its ask.
var errUnusable = errors.New("unusable answer")

// runLegacy enters a handler on a connection of the handshake era. Questions
// that it just asks go out from within (elicitLive). What it returns goes out
// here, the asks of a round one after another, and the handler is entered again
// once with all the answers.
func runLegacy[R any](ctx context.Context, l *Layer, c call, handler func(*Input) (R, error)) (R, error) {
	var zero R
	in := newInput(l, c)
	for round := 1; ; round++ {
		res, err := handler(in)
		out, fault := in.concluded(err)
		switch {
		case fault != nil:
			return zero, l.bug(c, fault)
		case out == nil:
			return res, finished(err)
		case l.cfg.NoShim:
			l.cfg.Logger.Error("handler returned asks, and the shim is off", "method", c.method, "name", c.name, "revision", c.revision)
			return zero, internalError("%s %q returns what it asks, which protocol revision %s cannot carry, and the server's shim for it is turned off", c.method, c.name, c.revision)
		case round > l.cfg.MaxRounds:
			return zero, l.tooOften(c)
		}
		if e := c.declared.check(out.asks); e != nil {
			return zero, e
		}
		answers, err := l.askAll(ctx, c, out.asks)
		if err != nil {
			return zero, err
		}
		next := newInput(l, c)
		next.retry, next.round, next.asked, next.data = true, answers, out.records, out.data
		next.carried = in.carry()
		in = next
	}
}

func (l *Layer) tooOften(c call) *jsonrpc.Error {
	l.cfg.Logger.Warn("handler asks without end", "method", c.method, "name", c.name, "rounds", l.cfg.MaxRounds)
	return internalError("%s %q asked for input more than %d times without coming to a result", c.method, c.name, l.cfg.MaxRounds)
}

// askAll sends the asks of one round in the order of their keys. An ask that
// fails is left out of the answers: to the handler it is unanswered.
func (l *Layer) askAll(ctx context.Context, c call, asks mcp.InputRequestMap) (map[string]json.RawMessage, error) {
	answers := map[string]json.RawMessage{}
	for _, key := range slices.Sorted(maps.Keys(asks)) {
		res, err := l.send(ctx, c, key, asks[key])
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if errors.Is(err, mcp.ErrConnectionClosed) {
			return nil, err
		}
		if err != nil {
			l.cfg.Logger.Info("ask failed, going on without its answer", "method", c.method, "name", c.name, "key", key, "error", err)
			continue
		}
		raw, err := encodeAnswer(res)
		if err != nil {
			return nil, fmt.Errorf("ask %q: %w", key, err)
		}
		answers[key] = raw
	}
	return answers, nil
}

// elicitLive asks inside the open request. An answer that does not fit the ask
// is no answer, so the ask goes out again.
func (in *Input) elicitLive(ctx context.Context, key string, p *mcp.ElicitParams, rec record) (*mcp.ElicitResult, error) {
	if raw, ok := in.carried[key]; ok { // answered before the handler returned an ask
		if res, err := parseElicited(raw, &rec); err == nil {
			in.kept[key] = raw
			return res, nil
		}
	}
	if e := in.call.declared.check(mcp.InputRequestMap{key: p}); e != nil {
		return nil, e
	}
	for range in.layer.cfg.MaxRounds {
		res, err := in.layer.send(ctx, in.call, key, p)
		if err == nil {
			raw, e := encodeAnswer(res)
			if e != nil {
				return nil, fmt.Errorf("ask %q: %w", key, e)
			}
			answer, e := parseElicited(raw, &rec)
			if e == nil {
				in.kept[key] = raw
				return answer, nil
			}
			err = fmt.Errorf("%w: %w", errUnusable, e)
		}
		if !errors.Is(err, errUnusable) {
			return nil, err
		}
		in.layer.cfg.Logger.Debug("answer not usable, asking again", "key", key, "reason", err)
	}
	return nil, in.layer.tooOften(in.call)
}

// Sample asks the client's model, in the handshake era only, where the request
// goes out at once. On revision 2026-07-28 the error is [ErrHandshakeOnly].
func (in *Input) Sample(ctx context.Context, p *mcp.CreateMessageWithToolsParams) (*mcp.CreateMessageWithToolsResult, error) {
	if in.call.modern() {
		return nil, fmt.Errorf("%w: a server cannot send sampling/createMessage; return the ask with Require and read the answer with Sampled, or call a model from the server", ErrHandshakeOnly)
	}
	res, err := live[*mcp.CreateMessageWithToolsResult](ctx, in, "sampling", p)
	if err != nil {
		return nil, err
	}
	if err := checkSampled(res); err != nil {
		return nil, fmt.Errorf("sampling: %w: %w", errUnusable, err)
	}
	return res, nil
}

// ListRoots asks the client for its roots, in the handshake era only, where the
// request goes out at once. On revision 2026-07-28 the error is
// [ErrHandshakeOnly].
func (in *Input) ListRoots(ctx context.Context) (*mcp.ListRootsResult, error) {
	if in.call.modern() {
		return nil, fmt.Errorf("%w: a server cannot send roots/list; take directories from the arguments, from resource URIs or from the server's configuration, or return the ask with Require and read the answer with ListedRoots", ErrHandshakeOnly)
	}
	res, err := live[*mcp.ListRootsResult](ctx, in, "roots", &mcp.ListRootsParams{})
	if err != nil {
		return nil, err
	}
	if err := checkRoots(res); err != nil {
		return nil, fmt.Errorf("roots: %w: %w", errUnusable, err)
	}
	return res, nil
}

func live[R any](ctx context.Context, in *Input, key string, ask mcp.InputRequest) (R, error) {
	var zero R
	out, _, err := normal(ask)
	if err != nil {
		return zero, in.fail("ask %q: %w", key, err)
	}
	if e := in.call.declared.check(mcp.InputRequestMap{key: out}); e != nil {
		return zero, e
	}
	res, err := in.layer.send(ctx, in.call, key, out)
	if err != nil {
		return zero, err
	}
	r, ok := res.(R)
	if !ok {
		return zero, fmt.Errorf("ask %q: answered with %T", key, res)
	}
	return r, nil
}

// send makes one server-to-client request, and waits for its answer as long as
// one ask may take. Errors are told apart, because each means something else:
// the client refused, the time is over, the connection is gone, or (all the
// rest) the answer could not be read.
func (l *Layer) send(ctx context.Context, c call, key string, ask mcp.InputRequest) (any, error) {
	wait, cancel := context.WithTimeout(ctx, l.cfg.AskTimeout)
	defer cancel()
	res, err := request(wait, c, ask)
	var wire *jsonrpc.Error
	switch {
	case err == nil:
		return res, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case wait.Err() != nil:
		return nil, fmt.Errorf("ask %q: no answer within %s: %w", key, l.cfg.AskTimeout, wait.Err())
	case errors.Is(err, mcp.ErrConnectionClosed):
		return nil, fmt.Errorf("ask %q: %w", key, mcp.ErrConnectionClosed)
	case errors.As(err, &wire):
		return nil, &RefusedError{Key: key, Code: wire.Code, Message: wire.Message}
	}
	return nil, fmt.Errorf("ask %q: %w: %w", key, errUnusable, err)
}

func request(ctx context.Context, c call, ask mcp.InputRequest) (any, error) {
	switch p := ask.(type) {
	case *mcp.ElicitParams:
		q := *p
		if q.Mode == "url" {
			q.ElicitationID = rand.Text() // required in 2025-11-25, the only revision of this era with URL mode
		}
		return elicit(ctx, c.session, &q)
	case *mcp.CreateMessageParams:
		return c.session.CreateMessage(ctx, p)
	case *mcp.CreateMessageWithToolsParams:
		return c.session.CreateMessageWithTools(ctx, p)
	case *mcp.ListRootsParams:
		return c.session.ListRoots(ctx, p)
	}
	return nil, fmt.Errorf("%T cannot be asked of a client", ask)
}

// heldKey is where elicit and keepAnswers meet in a context.
type heldKey struct{}

// keepAnswers is sending middleware that takes the content of an elicitation's
// answer out of the SDK's sight, which would fill in the schema's defaults and
// refuse what does not fit in a way that cannot be told from a broken line.
func keepAnswers(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		held, ok := ctx.Value(heldKey{}).(**mcp.ElicitResult)
		if !ok || err != nil {
			return res, err
		}
		if full, ok := res.(*mcp.ElicitResult); ok && full != nil {
			*held = full
			return &mcp.ElicitResult{Meta: full.Meta, Action: full.Action}, nil
		}
		return res, err
	}
}

func elicit(ctx context.Context, session *mcp.ServerSession, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	var held *mcp.ElicitResult
	res, err := session.Elicit(context.WithValue(ctx, heldKey{}, &held), p)
	if err == nil && held != nil {
		return held, nil
	}
	return res, err
}

// encodeAnswer gives an answer back its JSON. Empty content is content, which
// the SDK's own encoding leaves out.
func encodeAnswer(res any) (json.RawMessage, error) {
	e, ok := res.(*mcp.ElicitResult)
	if !ok {
		return json.Marshal(res)
	}
	w := map[string]any{"action": e.Action}
	if e.Content != nil {
		w["content"] = e.Content
	}
	return json.Marshal(w)
}
