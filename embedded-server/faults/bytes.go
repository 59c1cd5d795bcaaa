package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcptui/embedded-server/edge"
)

// damage says how the response to each tool is broken.
var damage = map[string]struct {
	about string
	do    func(edge.Exchange) *edge.Damage
}{
	"wrong_id": {"Answers under an id that nobody used.", func(x edge.Exchange) *edge.Damage {
		return frames(with(x.Response, "id", `"somebody-else"`))
	}},
	"wrong_id_type": {"Answers under the right id as the wrong type: a number as text, a text as a number.", func(x edge.Exchange) *edge.Damage {
		id := `"` + string(x.ID) + `"`
		if bytes.HasPrefix(x.ID, []byte(`"`)) {
			id = "1"
		}
		return frames(with(x.Response, "id", id))
	}},
	"no_id": {"Answers without an id.", func(x edge.Exchange) *edge.Damage {
		return frames(with(x.Response, "id", ""))
	}},
	"duplicate_answers": {"Answers three times: twice with results that differ, then with an error.", func(x edge.Exchange) *edge.Damage {
		return frames(x.Response,
			with(x.Response, "result", result(x, "SECOND answer")),
			[]byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"third answer"}}`, x.ID)))
	}},
	"cut": {"Ends the connection in the middle of its answer.", func(x edge.Exchange) *edge.Damage {
		return &edge.Damage{Partial: x.Response[:len(x.Response)/2], Cut: true}
	}},
	"cut_before": {"Ends the connection instead of answering.", func(edge.Exchange) *edge.Damage {
		return &edge.Damage{Cut: true}
	}},
	"noise": {"Writes lines that are no messages around its answer: log lines, a banner, JSON that is not JSON-RPC.", func(x edge.Exchange) *edge.Damage {
		return &edge.Damage{Before: []byte(noise), Frames: [][]byte{x.Response}}
	}},
	"not_json": {"Answers with JSON that does not parse.", func(x edge.Exchange) *edge.Damage {
		return frames([]byte(strings.TrimSuffix(string(x.Response), "}") + ",}"))
	}},
	"both": {"Answers with a result and an error at once.", func(x edge.Exchange) *edge.Damage {
		return frames(with(x.Response, "error", `{"code":-32603,"message":"and an error"}`))
	}},
	"unknown_result_type": {"Answers with a resultType that does not exist.", func(x edge.Exchange) *edge.Damage {
		return frames(with(x.Response, "result", `{"resultType":"perhaps","content":[{"type":"text","text":"perhaps"}]}`))
	}},
	"ask_for_nothing": {"Says that input is required, and names none.", func(x edge.Exchange) *edge.Damage {
		return frames(with(x.Response, "result", `{"resultType":"input_required"}`))
	}},
	"empty_ask": {"Says that input is required, with an empty list of requests.", func(x edge.Exchange) *edge.Damage {
		return frames(with(x.Response, "result", `{"resultType":"input_required","inputRequests":{}}`))
	}},
	"unknown_ask": {"Asks with a method that does not exist, beside a good ask.", func(x edge.Exchange) *edge.Damage {
		if !x.Modern {
			return &edge.Damage{Frames: [][]byte{
				[]byte(`{"jsonrpc":"2.0","id":90001,"method":"vendor/askOracle","params":{"question":"what next?"}}`), x.Response,
			}}
		}
		return frames(with(x.Response, "result", `{"resultType":"input_required","requestState":"asked","inputRequests":{`+
			`"oracle":{"method":"vendor/askOracle","params":{"question":"what next?"}},`+
			`"name":{"method":"elicitation/create","params":{"mode":"form","message":"Your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}}}`))
	}},
	"exact_state": {"Sends a state with odd escapes, and says whether it came back byte for byte.", exactState},
	"broken_ask": {"Asks with requests that have no form: no method, params that are no object, a schema that is a text.", func(x edge.Exchange) *edge.Damage {
		return frames(with(x.Response, "result", `{"resultType":"input_required","requestState":"asked","inputRequests":{`+
			`"no_method":{"params":{}},"no_params":{"method":"elicitation/create"},"bad_params":{"method":"elicitation/create","params":[]},`+
			`"bad_schema":{"method":"elicitation/create","params":{"message":"?","requestedSchema":"text"}}}}`))
	}},
}

// oddState is a state that only raw bytes survive: every way to write a
// character that JSON offers, and half a surrogate pair.
const oddState = `"\u0041\/ <>& \u003c \ud800 \u2028 \u0000 \" \\ \t  "`

// exactState asks with a state that has to come back byte for byte, and says
// whether it did.
func exactState(x edge.Exchange) *edge.Damage {
	var p map[string]json.RawMessage
	if json.Unmarshal(x.Params, &p) != nil {
		return nil
	}
	state, back := p["requestState"]
	switch {
	case !x.Modern:
		return nil
	case !back:
		return frames(with(x.Response, "result", `{"resultType":"input_required","requestState":`+oddState+`}`))
	case string(state) == oddState:
		return frames(with(x.Response, "result", result(x, "The state came back byte for byte.")))
	}
	return frames(with(x.Response, "result", result(x, fmt.Sprintf("The state was changed: %s", state))))
}

// retried are the faults that only break the first round.
var retried = map[string]bool{"ask_for_nothing": true, "empty_ask": true, "unknown_ask": true, "broken_ask": true}

const noise = "MyServer v1.2.3 starting…\n" +
	"DEBUG loading plugins\r\n" +
	"\n" +
	"{\"level\":\"info\",\"msg\":\"a structured log on stdout\"}\n" +
	"42\n" +
	"\x1b[32mINFO\x1b[0m ready\n" +
	"Warning: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}} was logged\n" +
	"{\"jsonrpc\":\"2.0\"\n"

// Mangle breaks the response to the tools of this package that ask for it, and
// leaves every other one alone. It is an [edge.Options].Mangle.
func Mangle(x edge.Exchange) *edge.Damage {
	if x.Method != "tools/call" {
		return nil
	}
	var p struct {
		Name           string
		InputResponses json.RawMessage
		RequestState   *string
	}
	if json.Unmarshal(x.Params, &p) != nil {
		return nil
	}
	d, ok := damage[p.Name]
	if !ok || retried[p.Name] && (p.InputResponses != nil || p.RequestState != nil) {
		return nil
	}
	if retried[p.Name] && !x.Modern && p.Name != "unknown_ask" {
		return nil
	}
	return d.do(x)
}

func (s *server) addBytes() {
	for name, d := range damage {
		s.tool(name, d.about, "", func(_ context.Context, e entry) (*mcp.CallToolResult, error) {
			if !e.modern && retried[name] && name != "unknown_ask" {
				return modernOnly(), nil
			}
			if e.req.Params.RequestState != "" || e.answers != nil {
				return text("%d usable answers came back.", len(e.answers)), nil
			}
			return text("This is the answer of %s.", name), nil
		})
	}
}

func frames(all ...[]byte) *edge.Damage { return &edge.Damage{Frames: all} }

// with replaces a member of a response; "" removes it.
func with(response []byte, member, value string) []byte {
	var m map[string]json.RawMessage
	if json.Unmarshal(response, &m) != nil {
		return response
	}
	if value == "" {
		delete(m, member)
	} else {
		m[member] = json.RawMessage(value)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false) // the bytes matter here
	if err := e.Encode(m); err != nil {
		return response
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

func result(x edge.Exchange, says string) string {
	kind := ""
	if x.Modern {
		kind = `,"resultType":"complete"`
	}
	return fmt.Sprintf(`{"content":[{"type":"text","text":%q}]%s}`, says, kind)
}
