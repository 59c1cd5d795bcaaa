package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"mcptui/client"
	"mcptui/client/control"
	"mcptui/client/session"
	"mcptui/client/trace"
	embeddedserver "mcptui/embedded-server"
)

// A call that asks: the client dials, calls, answers from what it sees in the
// folded log, and takes the result.
func Example() {
	server, err := embeddedserver.New(embeddedserver.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	ctx := context.Background()
	conn, err := client.Dial(ctx, client.Options{Target: client.Target{
		Pipe: func(ctx context.Context) (io.ReadWriteCloser, error) { return server.Pipe(ctx), nil },
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() {
		if err := conn.Close(ctx); err != nil {
			fmt.Println(err)
		}
	}()

	call, err := conn.Call(control.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"greet","arguments":{}}`)})
	if err != nil {
		fmt.Println(err)
		return
	}
	var ask session.Ask
	if err := conn.Watch(ctx, func(s *session.Session) bool {
		waiting := s.Waiting()
		if len(waiting) > 0 {
			ask = *waiting[0]
		}
		return len(waiting) > 0
	}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %s\n", ask.ID.Key, ask.Message)
	answer := control.Reply{Result: json.RawMessage(`{"action":"accept","content":{"name":"Ada"}}`)}
	if err := conn.Answer(ask.ID, answer, trace.Script); err != nil {
		fmt.Println(err)
		return
	}
	o, err := conn.Wait(ctx, call)
	if err != nil {
		fmt.Println(err)
		return
	}
	var result struct{ Content []struct{ Text string } }
	if err := json.Unmarshal(o.Result, &result); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(o.Status, result.Content[0].Text)
	// Output:
	// who: What is your name?
	// done Hello, Ada!
}
