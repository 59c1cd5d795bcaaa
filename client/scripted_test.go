package client_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"mcptui/client"
	"mcptui/client/rpc"
)

// scripted is a server that does what a test says, over a pipe. Each message
// that comes is given to answer, which returns the lines to write, exactly.
type scripted struct {
	answer func(m rpc.Message) []string
	opened atomic.Int32

	mu   sync.Mutex
	came []rpc.Message
}

func (s *scripted) target(t *testing.T) client.Target {
	var wg sync.WaitGroup
	t.Cleanup(wg.Wait)
	return client.Target{Pipe: func(context.Context) (io.ReadWriteCloser, error) {
		s.opened.Add(1)
		ours, theirs := net.Pipe()
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer theirs.Close()
			in := bufio.NewScanner(theirs)
			in.Buffer(nil, 8<<20)
			for in.Scan() {
				m := rpc.Parse(append([]byte(nil), in.Bytes()...))
				s.mu.Lock()
				s.came = append(s.came, m)
				s.mu.Unlock()
				for _, line := range s.answer(m) {
					if line == hangUp {
						return
					}
					if _, err := io.WriteString(theirs, line); err != nil {
						return
					}
				}
			}
		}()
		return ours, nil
	}}
}

// hangUp as a line ends the connection.
const hangUp = "\x00"

// requests returns what came for a method.
func (s *scripted) requests(method string) []rpc.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []rpc.Message
	for _, m := range s.came {
		if m.Method == method {
			out = append(out, m)
		}
	}
	return out
}

func result(m rpc.Message, json string) string {
	return `{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + json + "}\n"
}

func fault(m rpc.Message, json string) string {
	return `{"jsonrpc":"2.0","id":` + string(m.ID) + `,"error":` + json + "}\n"
}

// modern answers server/discover and tools/list, and leaves the calls to tool.
func modern(tool func(m rpc.Message, name string) []string) *scripted {
	return &scripted{answer: func(m rpc.Message) []string {
		switch {
		case m.Method == "server/discover":
			return []string{result(m, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}`)}
		case m.Method == "tools/list":
			return []string{result(m, `{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}`)}
		case m.Kind == rpc.Request:
			return tool(m, rpc.Text(m.Params, "name"))
		}
		return nil
	}}
}

func initializeResult(m rpc.Message) string {
	version := rpc.Text(m.Params, "protocolVersion")
	return result(m, `{"protocolVersion":"`+version+`","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`)
}

func unsupported(m rpc.Message, versions ...string) string {
	return fault(m, `{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["`+strings.Join(versions, `","`)+`"]}}`)
}
