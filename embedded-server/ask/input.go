package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Input is what one entry of a handler may ask, and what it has been answered.
// It belongs to that entry, and is not safe for concurrent use.
type Input struct {
	layer *Layer
	call  call

	// What came in.
	retry   bool
	round   map[string]json.RawMessage // answers of the round just answered, of those that were asked
	asked   map[string]record          // what the state shows was asked
	carried map[string]json.RawMessage // answers of earlier rounds, to just-asked questions
	data    json.RawMessage            // the handler's own state

	// What this entry did.
	count   int                        // elicitations reached
	used    map[string]bool            // keys reached
	kept    map[string]json.RawMessage // answers used
	spoilt  map[string]bool            // answers found unusable
	pending mcp.InputRequestMap        // the first question without an answer
	err     error                      // what a pending run keeps returning
	fault   error                      // a mistake of the handler, which ends the run
}

func newInput(l *Layer, c call) *Input {
	return &Input{layer: l, call: c, used: map[string]bool{}, kept: map[string]json.RawMessage{}, spoilt: map[string]bool{}}
}

// fail records a mistake of the handler. It ends the run whatever the handler
// makes of the error: it must be seen in the first test, not in production.
func (in *Input) fail(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if in.fault == nil {
		in.fault = err
	}
	return err
}

// Retry reports whether the call came back after this handler asked.
func (in *Input) Retry() bool { return in.retry }

// Can reports whether this client may be asked this: whether the request, or
// the session in the handshake era, declared what the ask needs. A handler that
// has another way uses it to take that; one that has none just asks.
func (in *Input) Can(ask mcp.InputRequest) bool {
	return len(in.call.declared.missing(ask)) == 0
}

// Elicit asks the user, and gives the answer, which is an accept, a decline or
// a cancel. An empty key stands for the position of the ask among all
// elicitations of this run.
//
// Without an answer the error is [ErrPending], on every revision from
// 2026-07-28; it ends the run, and every later ask of the run gives it too. In
// the handshake era the ask goes out inside the open request, and the error is
// a [RefusedError], or wraps context.DeadlineExceeded. A client that did not
// declare the capability gives error -32021, on every revision.
func (in *Input) Elicit(ctx context.Context, key string, asked *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	if in.err != nil {
		return nil, in.err
	}
	in.count++
	if key == "" {
		key = "elicitation_" + strconv.Itoa(in.count)
	}
	if in.used[key] {
		return nil, in.fail("ask: the key %q is used twice in one run", key)
	}
	in.used[key] = true
	if asked == nil {
		return nil, in.fail("ask %q: the elicitation is nil", key)
	}
	out, rec, err := normal(asked)
	if err != nil {
		return nil, in.fail("ask %q: %w", key, err)
	}
	if err := expressible(in.call.revision, rec); err != nil && in.Can(out) {
		return nil, in.fail("ask %q: %w", key, err)
	}
	if !in.call.modern() {
		return in.elicitLive(ctx, key, out.(*mcp.ElicitParams), rec)
	}
	if res := in.answer(key, rec); res != nil {
		return res, nil
	}
	if e := in.call.declared.check(mcp.InputRequestMap{key: out}); e != nil {
		return nil, e
	}
	in.pending = mcp.InputRequestMap{key: out}
	in.err = fmt.Errorf("%w: %s", ErrPending, key)
	return nil, in.err
}

// ElicitURL asks the user to go to a URL. The answer says whether they agreed
// to, not what they did there: that comes through the URL's own channel.
func (in *Input) ElicitURL(ctx context.Context, key, message, url string) (*mcp.ElicitResult, error) {
	return in.Elicit(ctx, key, URL(message, url))
}

// answer finds a usable answer to a just-asked question. What this round
// brought goes before what was carried.
func (in *Input) answer(key string, rec record) *mcp.ElicitResult {
	if raw, ok := in.round[key]; ok {
		res, err := in.elicited(key, raw, &rec)
		if err == nil {
			in.kept[key] = raw
			return res
		}
		in.spoilt[key] = true
		in.layer.cfg.Logger.Debug("answer not usable, asking again", "key", key, "reason", err)
	}
	if raw, ok := in.carried[key]; ok {
		res, err := parseElicited(raw, &rec)
		if err == nil {
			in.kept[key] = raw
			return res
		}
		in.spoilt[key] = true
		in.layer.cfg.Logger.Debug("carried answer no longer usable, asking again", "key", key, "reason", err)
	}
	return nil
}

// carry gives the answers that the next round must bring along: those that were
// used, and those that just were not reached in this run, since a handler may
// come to its questions in another order. Never what was not asked, or a client
// could make the state grow.
func (in *Input) carry() map[string]json.RawMessage {
	out := maps.Clone(in.kept)
	for key, raw := range in.carried {
		if _, ok := out[key]; !ok && !in.spoilt[key] {
			out[key] = raw
		}
	}
	for key, raw := range in.round {
		if _, ok := out[key]; !ok && in.asked[key].Carry && !in.spoilt[key] {
			out[key] = raw
		}
	}
	return out
}

// Require returns the explicit form of an ask, for the handler to return as its
// error: any number of asks in one round trip, of every kind, and a state of
// the handler's own, which [Input.State] gives back. State is nil, or anything
// that marshals to JSON. With a state and no asks the client calls again at
// once; neither of them is an error.
//
// The answers are those of [Input.Elicited], [Input.Sampled] and
// [Input.ListedRoots]. They are not carried on: what a later round needs of
// them goes into the state.
func (in *Input) Require(asks mcp.InputRequestMap, state any) error {
	if in.err != nil {
		return in.err
	}
	if len(asks) == 0 && state == nil {
		return in.fail("ask: an input-required result needs asks or a state, and has neither")
	}
	return &Required{Asks: asks, State: state}
}

// State decodes into v what the handler sealed in the round before, and
// reports whether there was anything.
func (in *Input) State(v any) (bool, error) {
	if len(in.data) == 0 {
		return false, nil
	}
	if err := json.Unmarshal(in.data, v); err != nil {
		return false, fmt.Errorf("decode handler state: %w", err)
	}
	return true, nil
}

// outcome is what a run that asks sends instead of a result.
type outcome struct {
	asks    mcp.InputRequestMap
	records map[string]record
	data    json.RawMessage
}

// concluded says how an entry of the handler ended: with asks, with an error
// of the protocol, or (both nil) as the handler wanted.
func (in *Input) concluded(err error) (*outcome, error) {
	var req *Required
	out := &outcome{asks: mcp.InputRequestMap{}, records: map[string]record{}, data: in.data}
	var raw mcp.InputRequestMap
	switch {
	case in.fault != nil:
		return nil, in.fault
	case in.pending != nil && !errors.Is(err, ErrPending):
		return nil, errors.New("ask: the handler went on after a question without an answer; it must return the error that the ask gave")
	case in.pending != nil:
		raw = in.pending
	case errors.As(err, &req):
		raw, out.data = req.Asks, nil
		if req.State != nil {
			b, e := json.Marshal(req.State)
			if e != nil {
				return nil, fmt.Errorf("ask: the handler's state: %w", e)
			}
			out.data = b
		}
		if len(raw) == 0 && out.data == nil {
			return nil, errors.New("ask: an input-required result needs asks or a state, and has neither")
		}
	case errors.Is(err, ErrPending):
		return nil, errors.New("ask: the handler says that it waits for input, but asked for none")
	default:
		return nil, nil
	}
	for key, a := range raw {
		sent, rec, e := normal(a)
		if e != nil {
			return nil, fmt.Errorf("ask %q: %w", key, e)
		}
		if e := expressible(in.call.revision, rec); e != nil && in.Can(sent) {
			return nil, fmt.Errorf("ask %q: %w", key, e)
		}
		rec.Carry = in.pending != nil
		out.asks[key], out.records[key] = sent, rec
	}
	return out, nil
}
