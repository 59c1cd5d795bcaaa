package state

import (
	"fmt"
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
	asks  map[string]bool // keys
	wants []string        // methods of the asks
}

func readReply(response []byte) reply {
	if len(response) == 0 {
		return reply{}
	}
	m := rpc.Peek(response)
	switch {
	case m.Kind == rpc.Failure:
		e, _ := rpc.ReadError(m.Error)
		return reply{kind: failed, code: e.Code, text: e.Message}
	case m.Kind != rpc.Result:
		return reply{kind: unclear}
	case rpc.Text(m.Result, "resultType") == "input_required":
		r := reply{kind: askedMore, asks: map[string]bool{}}
		for key, raw := range rpc.Members(rpc.Member(m.Result, "inputRequests")) {
			r.asks[key] = true
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
	case failed:
		return fmt.Sprintf("error %d (%s)", r.code, r.text)
	case toolFailed:
		return "an error of the tool"
	case done:
		return "a complete result"
	case askedMore:
		if len(r.asks) == 0 {
			return "another round that asks for nothing"
		}
		return "another round of asks"
	}
	return "an answer that is none"
}

// refuses is kept by anything but a served request: the server must not act on
// what it cannot trust.
func refuses(_ Material, r reply) Judgement {
	switch r.kind {
	case failed, toolFailed:
		return Judgement{Kept, "refused with " + r.String()}
	case askedMore:
		return Judgement{Kept, "not acted on: the server asks anew"}
	case done:
		return Judgement{Broken, "served as if nothing were wrong"}
	}
	return Judgement{NoWord, "the answer tells nothing: " + r.String()}
}

// refusedOrSilent is for what the specification leaves open.
func refusedOrSilent(_ Material, r reply) Judgement {
	switch r.kind {
	case failed, toolFailed:
		return Judgement{NoWord, "refused with " + r.String() + "; the specification leaves it open"}
	case askedMore:
		return Judgement{NoWord, "the server asks on; the specification leaves it open"}
	case done:
		return Judgement{NoWord, "served; the specification leaves it open"}
	}
	return Judgement{NoWord, "the answer tells nothing: " + r.String()}
}

// ignores is kept by a server that goes on as if the surplus were not there.
func ignores(_ Material, r reply) Judgement {
	switch r.kind {
	case done, askedMore, toolFailed:
		return Judgement{Kept, "the surplus did no harm: " + r.String()}
	case failed:
		return Judgement{Broken, "refused with " + r.String()}
	}
	return Judgement{NoWord, "the answer tells nothing: " + r.String()}
}

// asksAgain is kept by a server that asks for what was left out.
func asksAgain(m Material, r reply) Judgement {
	switch {
	case r.kind == failed:
		return Judgement{Broken, "refused with " + r.String() + " instead of asking again"}
	case r.kind == askedMore && len(m.Asked) > 0 && r.asks[m.Asked[0].Key]:
		return Judgement{Kept, fmt.Sprintf("asked for %q again", m.Asked[0].Key)}
	case r.kind == askedMore:
		return Judgement{NoWord, "asked for something else: the answer may not have been needed"}
	case r.kind == done, r.kind == toolFailed:
		return Judgement{NoWord, "went on without it: the answer may not have been needed"}
	}
	return Judgement{NoWord, "the answer tells nothing: " + r.String()}
}

// rejectsAnswer is kept by a server that does not take a malformed answer.
func rejectsAnswer(m Material, r reply) Judgement {
	switch {
	case r.kind == failed, r.kind == toolFailed:
		return Judgement{Kept, "refused with " + r.String()}
	case r.kind == askedMore && len(m.Asked) > 0 && r.asks[m.Asked[0].Key]:
		return Judgement{Kept, "asked again"}
	case r.kind == askedMore:
		return Judgement{Broken, "taken for an answer: the server went on to other asks"}
	case r.kind == done:
		return Judgement{Broken, "taken for an answer"}
	}
	return Judgement{NoWord, "the answer tells nothing: " + r.String()}
}

// asksNothing is kept by a server that does not ask a client that declared
// nothing.
func asksNothing(_ Material, r reply) Judgement {
	switch {
	case r.kind == failed && r.code == -32021:
		return Judgement{Kept, "refused with " + r.String()}
	case r.kind == failed:
		return Judgement{NoWord, "refused with " + r.String() + ", not for the capabilities"}
	case r.kind == askedMore && len(r.asks) > 0:
		return Judgement{Broken, "asked with " + strings.Join(r.wants, ", ") + " though nothing was declared"}
	}
	return Judgement{NoWord, "nothing more was asked: " + r.String()}
}
