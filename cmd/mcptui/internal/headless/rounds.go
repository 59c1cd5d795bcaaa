package headless

import (
	"encoding/json"
	"fmt"
	"strconv"

	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
)

// Decode gives the JSON that a requestState holds, nil where it cannot be read.
type Decode func(raw []byte) json.RawMessage

// Rounds is the document of --rounds-json: every round of a call and its result.
func Rounds(log *trace.Log, s *session.Session, c *session.Call, decode Decode) ([]byte, error) {
	list := []byte{'['}
	for i, r := range c.Rounds {
		one, err := round(log, s, r, decode)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, one...)
	}
	var result []byte
	if last := c.LastRound(); last != nil && last.Response != 0 {
		raw, err := log.Body(last.Response)
		if err != nil {
			return nil, fmt.Errorf("read round %d: %w", last.N, err)
		}
		result = rpc.Answer(raw, last.ID).Result
	}
	return rpc.Object(rpc.Field{Name: "rounds", Raw: append(list, ']')}, rpc.Field{Name: "result", Raw: orNull(result)}), nil
}

func round(log *trace.Log, s *session.Session, r *session.Round, decode Decode) ([]byte, error) {
	request, err := log.Body(r.Request)
	if err != nil {
		return nil, fmt.Errorf("read round %d: %w", r.N, err)
	}
	response, err := log.Body(r.Response)
	if err != nil {
		return nil, fmt.Errorf("read round %d: %w", r.N, err)
	}
	var asks []*session.Ask
	answers := []rpc.Field{}
	for _, id := range r.Asks {
		a := s.Ask(id)
		asks = append(asks, a)
		if a.Reply != nil {
			key := id.Key
			if key == "" {
				key = strconv.Itoa(id.Frame)
			}
			answers = append(answers, rpc.Field{Name: key, Raw: a.Reply})
		}
	}
	var state, decoded []byte
	if r.StateOut != nil {
		state, decoded = r.StateOut.Raw, decode(r.StateOut.Raw)
	}
	return rpc.Object(
		rpc.Field{Name: "request", Raw: orNull(request)},
		rpc.Field{Name: "response", Raw: orNull(response)},
		rpc.Field{Name: "asks", Raw: Asks(asks)},
		rpc.Field{Name: "answers", Raw: rpc.Object(answers...)},
		rpc.Field{Name: "requestState", Raw: orNull(state)},
		rpc.Field{Name: "decodedState", Raw: orNull(decoded)},
		rpc.Field{Name: "elapsedMs", Raw: []byte(strconv.FormatInt((r.Turned - r.Begun).Milliseconds(), 10))},
	), nil
}

func orNull(raw []byte) []byte {
	if raw == nil {
		return []byte("null")
	}
	return raw
}
