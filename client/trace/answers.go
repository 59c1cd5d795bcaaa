package trace

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"

	"mcptui/client/rpc"
)

// message masks what a person gave, and the states that may carry it.
func (m *masker) message(dir Dir, message []byte) []byte {
	parsed := rpc.Parse(message)
	switch parsed.Kind {
	case rpc.Request, rpc.Notification:
		if dir == Out && parsed.Params != nil {
			return rpc.With(message, rpc.Field{Name: "params", Raw: m.params(parsed.Params)})
		}
	case rpc.Result:
		if dir == Out {
			return rpc.With(message, rpc.Field{Name: "result", Raw: m.answer(parsed.Result)})
		}
		if state := rpc.Member(parsed.Result, "requestState"); state != nil {
			return rpc.With(message, rpc.Field{Name: "result", Raw: rpc.With(parsed.Result, rpc.Field{Name: "requestState", Raw: m.state(state)})})
		}
	case rpc.Failure:
	default:
		if dir == Out {
			return rpc.Quote(masked)
		}
	}
	return message
}

// params masks the parameters of a request of ours.
func (m *masker) params(params []byte) []byte {
	for k, v := range rpc.Members(params) {
		switch k {
		case "arguments":
			params = rpc.With(params, rpc.Field{Name: k, Raw: leaves(v)})
		case "inputResponses":
			var out []rpc.Field
			for key, answer := range rpc.Members(v) {
				out = append(out, rpc.Field{Name: key, Raw: m.answer(answer)})
			}
			params = rpc.With(params, rpc.Field{Name: k, Raw: rpc.Object(out...)})
		case "requestState":
			params = rpc.With(params, rpc.Field{Name: k, Raw: m.state(v)})
		case "argument":
			if value := rpc.Member(v, "value"); value != nil {
				params = rpc.With(params, rpc.Field{Name: k, Raw: rpc.With(v, rpc.Field{Name: "value", Raw: leaves(value)})})
			}
		case "context":
			params = rpc.With(params, rpc.Field{Name: k, Raw: leaves(v)})
		}
	}
	return params
}

// answer masks an answer but for what kind of answer it is.
func (m *masker) answer(answer []byte) []byte {
	if len(answer) == 0 || answer[0] != '{' {
		return leaves(answer)
	}
	var out []rpc.Field
	for k, v := range rpc.Members(answer) {
		switch k {
		case "action", "role", "stopReason", "type":
		default:
			v = leaves(v)
		}
		out = append(out, rpc.Field{Name: k, Raw: v})
	}
	return rpc.Object(out...)
}

// state masks a state, but leaves different states different.
func (m *masker) state(state []byte) []byte {
	mac := hmac.New(sha256.New, m.key)
	mac.Write(state)
	return rpc.Quote(masked + hex.EncodeToString(mac.Sum(nil)[:4]))
}

// act masks the value of an act: params, an answer, or a draft of either.
func (m *masker) act(a Act) []byte {
	if len(a.Value) == 0 {
		return a.Value
	}
	switch a.Kind {
	case ActCall, ActHeld, ActEdit, ActSend, ActBranch:
		return m.params(a.Value)
	case ActAnswer, ActReject:
		return m.answer(a.Value)
	case ActTamper: // keys and flags, no answer
		return a.Value
	}
	return leaves(a.Value)
}

// leaves replaces every value of a JSON document and keeps its shape.
func leaves(value []byte) []byte { return leavesBelow(value, deepestShape) }

const deepestShape = 64 // below, everything is one value

func leavesBelow(value []byte, depth int) []byte {
	if len(value) == 0 {
		return value
	}
	switch c := value[0]; {
	case (c == '{' || c == '[') && depth == 0, c == '"':
		return rpc.Quote(masked)
	case c == '{':
		var out []rpc.Field
		for k, v := range rpc.Members(value) {
			out = append(out, rpc.Field{Name: k, Raw: leavesBelow(v, depth-1)})
		}
		return rpc.Object(out...)
	case c == '[':
		out := []byte{'['}
		for i, v := range rpc.Elements(value) {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, leavesBelow(v, depth-1)...)
		}
		return append(out, ']')
	case c == 'n':
		return value
	case c == 't', c == 'f':
		return []byte("false")
	}
	return []byte("0")
}
