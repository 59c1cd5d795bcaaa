package flow

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
)

// server is the other side of a flow in a test: it keeps what was sent.
type server struct {
	flow *Flow
	seq  int
	sent []Send
	acts []trace.Act
	at   map[string]int   // the exchange of each request, by its id
	fold *session.Session // what is shown of it
}

// now is when everything happens, where time does not matter.
const now = time.Second

// connect takes a flow to where it is ready.
func connect(t *testing.T, cfg Config, era trace.Era, capabilities string) *server {
	t.Helper()
	s := &server{flow: New(cfg), at: map[string]int{}, fold: session.New()}
	s.flow.Start(now)
	s.flow.Opened(now, nil)
	s.take()
	s.handshake(t, era, capabilities)
	return s
}

// handshake answers what the flow asks until it is ready.
func (s *server) handshake(t *testing.T, era trace.Era, capabilities string) {
	t.Helper()
	for range 3 {
		switch last := s.sent[len(s.sent)-1]; {
		case rpc.Parse(last.Bytes).Method == "server/discover" && era == trace.Legacy:
			s.answer(last, `"error":{"code":-32601,"message":"Method not found"}`)
		case rpc.Parse(last.Bytes).Method == "server/discover":
			s.answer(last, `"result":{"supportedVersions":["2026-07-28"],"capabilities":`+capabilities+`}`)
		case rpc.Parse(last.Bytes).Method == "initialize":
			s.answer(last, `"result":{"protocolVersion":"2025-11-25","capabilities":`+capabilities+`}`)
		}
		if s.flow.stage == stageReady {
			return
		}
	}
	require.Equal(t, stageReady, s.flow.stage)
}

func (s *server) take() {
	for effects := s.flow.Take(); len(effects) > 0; effects = s.flow.Take() {
		for _, effect := range effects {
			switch e := effect.(type) {
			case Send:
				s.sent = append(s.sent, e)
				out := &trace.Frame{Dir: trace.Out, Bytes: e.Bytes, Cause: e.Cause}
				if s.flow.overHTTP() {
					out.Exchange = len(s.sent)
					s.at[e.ID] = out.Exchange
				}
				s.happens(trace.Event{Frame: out})
			case Append:
				s.log(e.Event)
				if e.Event.Act != nil {
					s.acts = append(s.acts, *e.Event.Act)
				}
			}
		}
	}
}

// log gives an event its number.
func (s *server) log(e trace.Event) trace.Event {
	s.seq++
	e.Seq, e.At = s.seq, now
	s.fold.Apply(e)
	return e
}

// happens is an event of the transport.
func (s *server) happens(e trace.Event) { s.flow.Event(now, s.log(e)) }

// answer answers a request with the rest of a message.
func (s *server) answer(to Send, rest string) {
	s.happens(trace.Event{Frame: &trace.Frame{Dir: trace.In, Exchange: s.at[to.ID], Bytes: []byte(`{"jsonrpc":"2.0","id":` + to.ID + `,` + rest + `}`)}})
	s.take()
}

// says has the server send a message.
func (s *server) says(message string) {
	s.happens(trace.Event{Frame: &trace.Frame{Dir: trace.In, Bytes: []byte(message)}})
	s.take()
}

// refuses ends the exchange of a request with a status and no message.
func (s *server) refuses(m Send, status int, header trace.Header, expired bool) {
	for _, stage := range []trace.HTTPStage{trace.HTTPResponse, trace.HTTPEnd} {
		s.happens(trace.Event{HTTP: &trace.HTTP{
			Exchange: s.at[m.ID], Stage: stage, Status: status, Headers: []trace.Header{header}, Expired: expired, Lost: stage == trace.HTTPEnd,
		}})
	}
	s.take()
}

// last is the newest request of a method.
func (s *server) last(method string) Send {
	all := s.requests(method)
	return all[len(all)-1]
}

// requests are the sent requests of a method.
func (s *server) requests(method string) []Send {
	var out []Send
	for _, m := range s.sent {
		if rpc.Parse(m.Bytes).Method == method {
			out = append(out, m)
		}
	}
	return out
}
