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
// It comes in parts, which are to be written one after the other: bodies can be
// large, and are not copied.
func Rounds(log *trace.Log, s *session.Session, c *session.Call, decode Decode) ([][]byte, error) {
	doc := parts{[]byte(`{"rounds":[`)}
	var last []byte // the last response
	for i, r := range c.Rounds {
		if i > 0 {
			doc.add(",")
		}
		response, err := doc.round(log, s, r, decode)
		if err != nil {
			return nil, fmt.Errorf("read round %d: %w", r.N, err)
		}
		last = response
	}
	var result []byte
	if r := c.LastRound(); r != nil && last != nil {
		result = rpc.Answer(last, r.ID).Result
	}
	doc.add(`],"result":`, result, "}")
	return doc, nil
}

// parts is a document that is put together of pieces.
type parts [][]byte

// add adds JSON, given as text or bytes; null for nil.
func (p *parts) add(pieces ...any) {
	for _, piece := range pieces {
		switch piece := piece.(type) {
		case string:
			*p = append(*p, []byte(piece))
		case []byte:
			*p = append(*p, orNull(piece))
		}
	}
}

// round adds a round, and returns its response.
func (p *parts) round(log *trace.Log, s *session.Session, r *session.Round, decode Decode) (response []byte, err error) {
	request, err := log.Body(r.Request)
	if err != nil {
		return nil, err
	}
	if response, err = log.Body(r.Response); err != nil {
		return nil, err
	}
	var asks []*session.Ask
	answers := []rpc.Field{}
	for _, id := range r.Asks {
		a := s.Ask(id)
		asks = append(asks, a)
		if a.Reply != nil {
			answers = append(answers, rpc.Field{Name: askName(a), Raw: a.Reply})
		}
	}
	var state, decoded []byte
	if r.StateOut != nil {
		state, decoded = r.StateOut.Raw, decode(r.StateOut.Raw)
	}
	p.add(`{"request":`, request, `,"response":`, response, `,"asks":`, []byte(Asks(asks)), `,"answers":`, rpc.Object(answers...),
		`,"requestState":`, state, `,"decodedState":`, decoded, `,"elapsedMs":`, strconv.FormatInt((r.Turned-r.Begun).Milliseconds(), 10), "}")
	return response, nil
}

func orNull(raw []byte) []byte {
	if raw == nil {
		return []byte("null")
	}
	return raw
}
