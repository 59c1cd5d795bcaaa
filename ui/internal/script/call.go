package script

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"time"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// Call is one call of a script's, in either era.
type Call struct {
	ID int

	s       *Script
	name    string
	args    any
	round   int
	request int // frame of the newest request
	id      rpc.ID
	asked   int // frame of the newest input_required result
	state   string
	asks    map[string]trace.AskID
	froms   map[string]rpc.ID // legacy: ids of the server's requests
	replies map[string]json.RawMessage
	nested  int
}

// Want is one thing that a round asks.
type Want struct {
	Key    string
	Method string
	Params any
}

func (c *Call) bare() map[string]any {
	p := map[string]any{"name": c.name}
	if c.args != nil {
		p["arguments"] = c.args
	}
	return p
}

// Asks ends the server's stretch by asking. The state is what the server wants
// to remember; it crosses the wire in the modern era only.
func (c *Call) Asks(state any, wants ...Want) map[string]trace.AskID {
	c.asks, c.froms, c.replies = map[string]trace.AskID{}, map[string]rpc.ID{}, map[string]json.RawMessage{}
	if c.s.Era == trace.Legacy {
		for _, w := range wants {
			c.nested++
			id := serverID(c.nested)
			frame := c.s.Come(rpc.Encode(id, w.Method, raw(w.Params), nil, nil))
			c.asks[w.Key], c.froms[w.Key] = trace.AskID{Frame: frame}, id
		}
		return c.asks
	}
	var requests []rpc.Field
	for _, w := range wants {
		requests = append(requests, rpc.Field{Name: w.Key, Raw: rpc.Object(
			rpc.Field{Name: "method", Raw: rpc.Quote(w.Method)}, rpc.Field{Name: "params", Raw: raw(w.Params)})})
	}
	fields := []rpc.Field{{Name: "resultType", Raw: []byte(`"input_required"`)}, {Name: "inputRequests", Raw: rpc.Object(requests...)}}
	c.state = ""
	if state != nil {
		c.state = Seal(c.s.Now().Add(10*time.Minute), state)
		fields = append(fields, rpc.Field{Name: "requestState", Raw: rpc.Quote(c.state)})
	}
	c.asked = c.s.Come(rpc.Encode(c.id, "", nil, rpc.Object(fields...), nil))
	for _, w := range wants {
		c.asks[w.Key] = trace.AskID{Frame: c.asked, Key: w.Key}
	}
	return c.asks
}

// Answer gives one answer; the last one of a round sends the retry.
func (c *Call) Answer(key string, reply any) {
	id := c.asks[key]
	c.s.Act(trace.Act{Kind: trace.ActAnswer, Call: c.ID, Ask: id, Value: raw(reply)})
	c.replies[key] = raw(reply)
	if c.s.Era == trace.Legacy {
		c.s.Send(trace.Cause{Why: trace.WhyAnswer, Call: c.ID, Round: c.round, Answers: id.Frame},
			rpc.Encode(c.froms[key], "", nil, raw(reply), nil))
		if len(c.replies) == len(c.asks) {
			c.round++
		}
		return
	}
	if len(c.replies) < len(c.asks) {
		return
	}
	c.round++
	p := c.s.params(c.bare(), c.ID)
	p["inputResponses"] = c.replies
	if c.state != "" {
		p["requestState"] = c.state
	}
	c.request, c.id = c.s.Request(trace.Cause{Why: trace.WhyRetry, Call: c.ID, Round: c.round, Retries: c.asked}, "tools/call", p)
}

// Done ends the call with a text.
func (c *Call) Done(text string) {
	c.s.Result(c.id, c.s.complete(map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}}, false))
}

// Progress tells of progress.
func (c *Call) Progress(done, total int, message string) {
	c.s.Come(rpc.Encode("", "notifications/progress", raw(map[string]any{
		"progressToken": c.ID, "progress": done, "total": total, "message": message}), nil, nil))
}

// Seal makes a requestState as the embedded server does.
func Seal(expires time.Time, claims any) string {
	var c map[string]any
	if err := json.Unmarshal(raw(claims), &c); err != nil {
		panic(err)
	}
	c["exp"] = expires.Unix()
	body := "v1." + base64.RawURLEncoding.EncodeToString(raw(c))
	m := hmac.New(sha256.New, []byte("a key that only the tests have"))
	m.Write([]byte(body))
	return body + "." + base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}
