package ui

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/lint"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/internal/script"
)

// The load of testdata/scale, without a terminal and a server: where its figures
// are bad, profile these.
const loadFrames = 100_000

// flood appends frames as a chatty server sends them: logs, and every tenth a
// progress.
func flood(s *script.Script, from, count int) {
	for n := from; n < from+count; n++ {
		if n%10 == 0 {
			s.Come(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":%d,"message":"row %d"}}`, n, n))
			continue
		}
		s.Come(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"scale","data":{"text":"a line of a log, as long as many are in practice","n":%d,"word":"row"}}}`, n))
	}
}

func flooded() *script.Script {
	s := script.New()
	s.Ready(trace.Modern)
	s.Catalogue()
	s.Call("flood", nil)
	flood(s, 1, loadFrames)
	return s
}

func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// BenchmarkFold is what 100,000 frames cost to be folded, and to be kept.
func BenchmarkFold(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		empty := heap()
		s := flooded()
		events := s.Log.Since(0)
		logged := heap()
		sess := session.New()
		b.StartTimer()
		for _, e := range events {
			sess.Apply(e)
			if e.Frame != nil {
				e.Frame.Forget()
			}
		}
		b.StopTimer()
		b.ReportMetric((heap()-logged)/loadFrames, "fold-B/event")
		b.ReportMetric((logged-empty)/loadFrames, "log-B/event")
		b.ReportMetric(float64(s.Log.Usage().Memory)/loadFrames, "counted-B/event")
		runtime.KeepAlive(sess)
		b.StartTimer()
	}
}

// BenchmarkLint is what they cost to be judged.
func BenchmarkLint(b *testing.B) {
	events := flooded().Log.Since(0)
	for b.Loop() {
		l := lint.New()
		for _, e := range events {
			l.Apply(e)
		}
	}
}

// BenchmarkFilter is a filter typed over them, with the screen that follows.
func BenchmarkFilter(b *testing.B) {
	s := flooded()
	m := catchUp(at(s, 120, 36), s.Log)
	press(m, tea.KeyPressMsg{Code: '3', Text: "3"})
	for b.Loop() {
		_ = m.wire.SetFilter("needle", m.sess) // can be read
		m.View()
		for job := m.wire.Job(); job != nil; job = m.wire.Job() {
			m.wire.Take(job.Run(s.Log), m.sess)
			m.View()
		}
	}
}

// BenchmarkFollow is a batch of what comes in a thirtieth of a second while the
// wire is followed.
func BenchmarkFollow(b *testing.B) {
	s := flooded()
	m := catchUp(at(s, 120, 36), s.Log)
	press(m, tea.KeyPressMsg{Code: '3', Text: "3"})
	for n := loadFrames + 1; b.Loop(); n += 67 {
		before := m.sess.Rows.Len()
		flood(s, n, 67)
		m.Update(feedMsg{events: s.Log.Since(before)})
		m.View()
	}
}

// BenchmarkLarge is the fold and the first screen of a result of 60 MB.
func BenchmarkLarge(b *testing.B) {
	for name, result := range map[string]string{
		"text": `"content":[{"type":"text","text":"` + strings.Repeat(`All work and no play makes Jack a dull boy.\n`, 60<<20/45) + `"}]`,
		"json": `"content":[],"structuredContent":{"rows":[` + strings.Repeat(`{"id":12345,"name":"Ada Lovelace","tags":["a","b"],"active":true,"score":1.50},`, 60<<20/78) + `0]}`,
	} {
		body := []byte(`{"jsonrpc":"2.0","id":6,"result":{"resultType":"complete",` + result + `}}`)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s := script.New()
				s.Ready(trace.Modern)
				s.Catalogue()
				s.Call("large", nil)
				m := at(s, 120, 36)
				press(m, tea.KeyPressMsg{Code: tea.KeyEnter})
				before := m.sess.Rows.Len()
				seq := s.Come(body)
				m.Update(feedMsg{events: s.Log.Since(before)})
				m.Update(bodyMsg{seq: seq, body: body})
				if !strings.Contains(m.draw().Plain(), "done") {
					b.Fatal(m.draw().Plain())
				}
			}
		})
	}
}
