package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// server is an MCP server on stdio, of either era, whose tools are all load.
type server struct {
	mu  sync.Mutex
	out *bufio.Writer
	log *os.File // where it notes when a large answer had left
}

// serve answers until its input ends.
func serve() error {
	s := &server{out: bufio.NewWriterSize(os.Stdout, 1<<16)}
	if name := os.Getenv("SCALE_LOG"); name != "" {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		defer f.Close()
		s.log = f
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return nil // the client is gone
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name string
				Meta struct {
					ProgressToken json.RawMessage
				} `json:"_meta"`
			}
		}
		if err := json.Unmarshal(line, &m); err != nil {
			return fmt.Errorf("a message that is no JSON: %w", err)
		}
		if m.ID != nil {
			s.answer(m.ID, m.Method, m.Params.Name, m.Params.Meta.ProgressToken)
		}
	}
}

func (s *server) answer(id json.RawMessage, method, tool string, token json.RawMessage) {
	switch method {
	case "server/discover":
		s.result(id, `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"logging":{}},"ttlMs":60000,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"scale","version":"1"}}`)
	case "tools/list":
		var tools []string
		for _, name := range []string{"flood", "text5", "text60", "json5", "json60"} {
			tools = append(tools, `{"name":"`+name+`","description":"load","inputSchema":{"type":"object"}}`)
		}
		s.result(id, `"ttlMs":60000,"cacheScope":"private","tools":[`+strings.Join(tools, ",")+`]`)
	case "tools/call":
		if tool == "flood" {
			go s.flood(token) // ends with the process; the call is never answered
			return
		}
		kind, megabytes := tool[:4], tool[4:]
		n, err := strconv.Atoi(megabytes)
		if err != nil {
			s.write([]byte(`{"jsonrpc":"2.0","id":` + string(id) + `,"error":{"code":-32602,"message":"no such tool"}}`))
			return
		}
		if kind == "text" {
			s.result(id, `"content":[{"type":"text","text":"`+strings.Repeat(`All work and no play makes Jack a dull boy.\n`, n<<20/45)+`the last line"}]`)
		} else {
			s.result(id, `"content":[],"structuredContent":{"rows":[`+strings.Repeat(`{"id":12345,"name":"Ada Lovelace","tags":["a","b"],"active":true,"score":1.50},`, n<<20/78)+`{"id":0,"name":"the last row"}]}`)
		}
		s.note(tool)
	default:
		s.result(id, "")
	}
}

func (s *server) result(id json.RawMessage, members string) {
	var b bytes.Buffer
	b.WriteString(`{"jsonrpc":"2.0","id":` + string(id) + `,"result":{"resultType":"complete"`)
	if members != "" {
		b.WriteString("," + members)
	}
	b.WriteString("}}")
	s.write(b.Bytes())
}

func (s *server) write(frame []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = s.out.Write(frame)
	_ = s.out.WriteByte('\n')
	_ = s.out.Flush()
}

// note records when something had left. A pipe holds 64 KB: all but those had
// been read by then.
func (s *server) note(what string) {
	if s.log != nil {
		fmt.Fprintf(s.log, "%s %d\n", what, time.Now().UnixNano())
	}
}

// flood sends many frames at once, then some more each second for ever: logs,
// and every tenth a progress.
func (s *server) flood(token json.RawMessage) {
	n := 0
	send := func(count int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for range count {
			n++
			word := "row"
			if n%1000 == 1 { // never a progress
				word = "needle"
			}
			if n%10 == 0 && token != nil {
				fmt.Fprintf(s.out, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"message":"%s %d"}}`+"\n", token, n, word, n)
				continue
			}
			fmt.Fprintf(s.out, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"scale","data":{"text":"a line of a log, as long as many are in practice","n":%d,"word":%q}}}`+"\n", n, word)
		}
		_ = s.out.Flush()
	}
	send(frames)
	s.note("flood")
	begun := time.Now()
	for tick := range time.Tick(10 * time.Millisecond) {
		due := int(tick.Sub(begun).Seconds() * perSecond)
		if due > n-frames {
			send(due - (n - frames))
		}
	}
}
