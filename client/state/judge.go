package state

import (
	"fmt"
	"slices"
	"strings"

	"mcptui/client/rpc"
)

type replyKind int

const (
	noReply replyKind = iota
	failed
	toolFailed
	done
	askedMore
	unclear
)

// reply is what came back.
type reply struct {
	kind  replyKind
	code  int
	text  string
	asks  []string // keys
	wants []string // methods of the asks
}

func readReply(a Outcome) reply {
	switch {
	case len(a.Message) > 0:
		return readMessage(a.Message)
	case a.Status >= 400 && a.Status < 500:
		return reply{kind: failed, text: fmt.Sprintf("HTTP %d", a.Status)}
	case a.Lost != "":
		return reply{kind: unclear, text: a.Lost}
	}
	return reply{}
}

func readMessage(message []byte) reply {
	m := rpc.Peek(message)
	switch {
	case m.Kind == rpc.Failure:
		e, _ := rpc.ReadError(m.Error)
		return reply{kind: failed, code: e.Code, text: fmt.Sprintf("error %d (%s)", e.Code, e.Message)}
	case m.Kind != rpc.Result:
		return reply{kind: unclear, text: "an answer that is none"}
	case rpc.Text(m.Result, "resultType") == "input_required":
		r := reply{kind: askedMore}
		for key, raw := range rpc.Members(rpc.Member(m.Result, "inputRequests")) {
			r.asks = append(r.asks, key)
			r.wants = append(r.wants, rpc.Text(raw, "method"))
		}
		return r
	case string(rpc.Member(m.Result, "isError")) == "true":
		return reply{kind: toolFailed}
	}
	return reply{kind: done}
}

func (r reply) String() string {
	switch r.kind {
	case failed, unclear:
		return r.text
	case toolFailed:
		return "an error of the tool"
	case done:
		return "a complete result"
	case askedMore:
		if len(r.asks) > 0 {
			return "another round, which asks for " + quoted(r.asks)
		}
	}
	return "another round, which asks for nothing"
}

func quoted(keys []string) string {
	var out []string
	for _, k := range keys {
		out = append(out, fmt.Sprintf("%q", k))
	}
	return strings.Join(out, ", ")
}

func (r reply) refused() bool { return r.kind == failed || r.kind == toolFailed }

func (r reply) tellsNothing() Judgement {
	return Judgement{NoWord, "the answer tells nothing: " + r.String()}
}

// wentOn reports whether a server asks for what it had not asked before, as it
// does when it takes a retry for good and goes on from there.
func (t Tampered) wentOn(r reply) bool {
	for _, key := range r.asks {
		known := slices.ContainsFunc(t.asked, func(a Asked) bool { return a.Key == key })
		if known || slices.Contains(t.before, key) {
			return false
		}
	}
	return len(r.asks) > 0
}

// refuses is kept by a server that does not act on what it cannot trust: it
// refuses, or begins to ask anew.
func refuses(t Tampered, rs []reply) Judgement {
	switch r := rs[0]; {
	case r.refused():
		return Judgement{Kept, "refused with " + r.String()}
	case t.wentOn(r):
		return Judgement{Broken, "accepted: the server went on to ask for " + quoted(r.asks)}
	case r.kind == askedMore && len(r.asks) > 0:
		return Judgement{Kept, "not acted on: the server asks for " + quoted(r.asks) + " again"}
	case r.kind == done:
		return Judgement{Broken, "accepted: served as if nothing were wrong"}
	default:
		return r.tellsNothing()
	}
}

// verifies is refuses for a state whose encoding may be broken as well: only
// that of a signed state, or one that cannot be read, shows a verification.
func verifies(t Tampered, rs []reply) Judgement {
	j := refuses(t, rs)
	if j.Verdict == Kept && rs[0].refused() && t.unsigned {
		return Judgement{NoWord, j.Text + ", but nothing protects this state: it may only not be readable any more; edit its payload to be sure"}
	}
	return j
}

// matches is refuses for a request that its state was not made for. An error of
// the tool does not tell whether the two were compared: it may have acted on them
// first.
func matches(t Tampered, rs []reply) Judgement {
	if rs[0].kind == toolFailed {
		return Judgement{NoWord, "the tool failed, which does not tell whether the state was refused or acted on: look at what it says"}
	}
	return refuses(t, rs)
}

// binds is matches for a state that was made elsewhere. One that was made for
// the same request fits this one too.
func binds(t Tampered, rs []reply) Judgement {
	j := matches(t, rs)
	if j.Verdict == Broken && t.fits {
		return Judgement{NoWord, j.Text + "; that call had the same arguments, so its state is bound to this request too"}
	}
	return j
}

// bindsPrincipal is refuses for another principal, who must be one.
func bindsPrincipal(t Tampered, rs []reply) Judgement {
	j := matches(t, rs)
	if j.Verdict == Broken && t.invented {
		return Judgement{NoWord, j.Text + "; the server takes a made-up token, so it tells principals apart by nothing, or you put another's in"}
	}
	return j
}

// leftOpen is for what the specification does not say.
func leftOpen(_ Tampered, rs []reply) Judgement {
	switch r := rs[0]; r.kind {
	case failed, toolFailed:
		return Judgement{NoWord, "refused with " + r.String() + "; the specification leaves it open"}
	case askedMore:
		return Judgement{NoWord, "answered with " + r.String() + "; the specification leaves it open"}
	case done:
		return Judgement{NoWord, "served; the specification leaves it open"}
	default:
		return r.tellsNothing()
	}
}

// servedTwice tells what came of two at once. Only the server knows whether its
// state may be used twice.
func servedTwice(_ Tampered, rs []reply) Judgement {
	served := 0
	var told []string
	for _, r := range rs {
		if r.kind == done {
			served++
		}
		told = append(told, r.String())
	}
	if served > 1 {
		return Judgement{NoWord, "served twice: look whether the effect happened twice; the specification leaves it open, unless the state may be used only once"}
	}
	return Judgement{NoWord, "answered with " + strings.Join(told, ", and with ") + "; the specification leaves it open"}
}

// ignores is kept by a server that goes on as if the surplus were not there.
func ignores(_ Tampered, rs []reply) Judgement {
	switch r := rs[0]; r.kind {
	case done, askedMore:
		return Judgement{Kept, "ignored: " + r.String()}
	case failed:
		return Judgement{Broken, "refused with " + r.String()}
	default:
		return r.tellsNothing()
	}
}

// ignoresEarly is ignores for an answer that the server will want. It may need
// it already; whether it does, only the server knows.
func ignoresEarly(t Tampered, rs []reply) Judgement {
	switch r := rs[0]; {
	case r.kind == askedMore && slices.Contains(r.asks, t.key):
		return Judgement{Kept, fmt.Sprintf("ignored: %q is asked for all the same", t.key)}
	case r.kind == failed:
		return Judgement{Broken, "refused with " + r.String()}
	case r.kind == done:
		return Judgement{NoWord, fmt.Sprintf("%q was never asked for: the server took the answer early, or did without", t.key)}
	case r.kind == askedMore:
		return Judgement{NoWord, fmt.Sprintf("%q was not asked for next: the server took the answer early, or asks for it later", t.key)}
	default:
		return r.tellsNothing()
	}
}

// asksAgain is kept by a server that asks for what was left out.
func asksAgain(t Tampered, rs []reply) Judgement {
	switch r := rs[0]; {
	case r.kind == failed:
		return Judgement{Broken, "refused with " + r.String() + " instead of asking again"}
	case r.kind == askedMore && slices.Contains(r.asks, t.key):
		return Judgement{Kept, fmt.Sprintf("asked for %q again", t.key)}
	case r.kind == askedMore:
		return Judgement{NoWord, "asked for something else: the answer may not have been needed"}
	case r.kind == done, r.kind == toolFailed:
		return Judgement{NoWord, "went on without it: the answer may not have been needed"}
	default:
		return r.tellsNothing()
	}
}

// rejectsAnswer is kept by a server that does not take a malformed answer.
func rejectsAnswer(t Tampered, rs []reply) Judgement {
	switch r := rs[0]; {
	case r.refused():
		return Judgement{Kept, "refused with " + r.String()}
	case r.kind == askedMore && slices.Contains(r.asks, t.key):
		return Judgement{Kept, fmt.Sprintf("asked for %q again", t.key)}
	case r.kind == askedMore && len(r.asks) > 0:
		return Judgement{Broken, "taken for an answer: the server went on to ask for " + quoted(r.asks)}
	case r.kind == done:
		return Judgement{Broken, "taken for an answer: served as if nothing were wrong"}
	default:
		return r.tellsNothing()
	}
}

// asksNothing is kept by a server that does not ask a client that declared
// nothing.
func asksNothing(_ Tampered, rs []reply) Judgement {
	switch r := rs[0]; {
	case r.kind == failed && r.code == -32021:
		return Judgement{Kept, "refused with " + r.String()}
	case r.kind == failed:
		return Judgement{NoWord, "refused with " + r.String() + ", not for the capabilities"}
	case r.kind == askedMore && len(r.asks) > 0:
		return Judgement{Broken, "asked with " + strings.Join(r.wants, ", ") + " though nothing was declared"}
	case r.kind == unclear:
		return r.tellsNothing()
	default:
		return Judgement{NoWord, "nothing more was asked: " + r.String()}
	}
}
