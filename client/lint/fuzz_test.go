package lint_test

import (
	"strings"
	"testing"

	"mcptui/client/lint"
	"mcptui/client/trace"
)

// FuzzApply feeds frames of any bytes, one a line, those that begin with > as
// sent and those that begin with # over HTTP.
func FuzzApply(f *testing.F) {
	for _, c := range ruleCases() {
		var lines []string
		for _, e := range c.bad.events {
			if e.Frame != nil {
				lines = append(lines, map[trace.Dir]string{trace.Out: ">", trace.In: ""}[e.Frame.Dir]+string(e.Frame.Bytes))
			}
		}
		f.Add(strings.Join(lines, "\n"))
	}
	f.Fuzz(func(t *testing.T, script string) {
		l := lint.New()
		for i, line := range strings.Split(script, "\n") {
			frame := &trace.Frame{Dir: trace.In}
			if rest, ok := strings.CutPrefix(line, ">"); ok {
				line, frame.Dir = rest, trace.Out
			}
			if rest, ok := strings.CutPrefix(line, "#"); ok {
				line, frame.Exchange = rest, i/3+1
				l.Apply(trace.Event{Seq: i, HTTP: &trace.HTTP{Exchange: frame.Exchange, Stage: trace.HTTPRequest, Method: "POST", Headers: headerList(std)}})
			}
			frame.Bytes = []byte(line)
			for _, x := range l.Apply(trace.Event{Seq: i + 1, Frame: frame}) {
				if x.Message == "" || x.Section.Title == "" || x.Frame != i+1 {
					t.Fatalf("half a finding: %+v", x)
				}
			}
		}
	})
}
