// Package ask lets the handlers of a go-sdk server ask the client for input, on
// every protocol revision, with the same code.
//
// It wraps handlers; it is not a transport, and it is not the server. Build a
// [Layer] once, then wrap each handler that asks with [Tool], [RawTool],
// [Prompt] or [Resource]. Those are the three methods that may ask (tools/call,
// prompts/get, resources/read); an ask from anywhere else is an error.
//
// # Just asking
//
// For elicitation, ask and use the answer:
//
//	answer, err := in.Elicit(ctx, "who", ask.Form("Your name?", schema))
//	if err != nil {
//		return nil, nil, err
//	}
//
// The key names the ask, so that its answer keeps finding the question it
// belongs to. With an empty key asks are keyed by position (elicitation_1,
// elicitation_2, …), which holds as long as the handler reaches them in the
// same order every time.
//
// Write the handler so that it can run more than once. A client of the
// handshake era (up to 2025-11-25) answers inside the open request; one of
// 2026-07-28 answers by sending the whole call again, which enters the handler
// from the top, once per question. The first question without an answer returns
// [ErrPending], and the handler passes that on. Everything above an ask must
// therefore be safe to repeat: put side effects after the last one, and derive
// where you are from the answers rather than from anything you kept.
//
// Answers of earlier rounds travel in the requestState, so asking a second time
// needs a sealing key ([Config.Keys]).
//
// # Returning the ask
//
// The explicit form: return what [Input.Require] gives, and read the answers
// with [Input.Elicited], [Input.Sampled] and [Input.ListedRoots] when the call
// comes back. It is the only way to ask several things in one round trip, to
// carry state of your own, or to ask for anything but elicitation. The readers
// give nil for an answer that is absent or malformed: both mean, ask again. On
// the handshake era the layer's shim sends the asks as real requests and enters
// the handler again with the answers.
//
// # requestState
//
// It travels through the client, so on return it is whatever an attacker made
// of it. The layer seals it with HMAC-SHA256 and binds it to principal, method
// and parameters; one that fails verification never reaches a handler. It is
// signed, not encrypted: nothing secret belongs in it. The same keys must reach
// every process that might serve the retry. A state is good until it expires,
// as often as it comes: an effect that must happen once needs a mark of its own.
package ask
