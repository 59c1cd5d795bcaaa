package session

import (
	"strings"
	"time"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// Part names which part of an event is set.
type Part string

// Parts of events.
const (
	PartFrame  Part = "frame"
	PartHTTP   Part = "http"
	PartNoise  Part = "noise"
	PartStderr Part = "stderr"
	PartPhase  Part = "phase"
	PartAct    Part = "act"
)

// InputRequired is the text of the row of a result that asks for input.
const InputRequired = "input_required"

// Row is one event as a line of the wire view.
type Row struct {
	Seq      int
	At       time.Duration
	Part     Part
	Dir      trace.Dir
	Kind     rpc.Kind
	ID       rpc.ID
	Method   string // of a response: that of its request
	Name     string // tool, prompt or URI
	Why      trace.Why
	Call     int
	Round    int
	Pair     int // the response of a request, the request of a response
	Took     time.Duration
	Size     int
	Exchange int
	Status   int    // HTTP status
	Code     int    // JSON-RPC error code
	Text     string // what a row without a method says, not cleaned
	Problem  string // what is wrong with the frame itself
	Gone     bool   // only Seq is known: the event is in the log, RowOf reads it
}

func partOf(e trace.Event) Part {
	switch {
	case e.Frame != nil:
		return PartFrame
	case e.HTTP != nil:
		return PartHTTP
	case e.Noise != nil:
		return PartNoise
	case e.Stderr != nil:
		return PartStderr
	case e.Phase != nil:
		return PartPhase
	}
	return PartAct
}

// RowOf is what an event says of itself, without what came before it: a response
// does not know its request. It stands for a row that the session has given up.
func RowOf(e trace.Event) Row {
	row := Row{Seq: e.Seq, At: e.At, Part: partOf(e)}
	switch {
	case e.Frame != nil:
		row.frame(e.Frame, e.Frame.Message())
	case e.HTTP != nil:
		h := e.HTTP
		row.Exchange, row.Status, row.Method, row.Size = h.Exchange, h.Status, h.Method, int(h.Bytes)
		row.Text = strings.TrimSpace(string(h.Stage) + " " + h.URL + " " + h.Note)
		if h.Stage == trace.HTTPFailed {
			row.Problem = h.Note
		}
	case e.Noise != nil:
		row.Exchange, row.Size, row.Text, row.Problem = e.Noise.Exchange, max(len(e.Noise.Bytes), e.Noise.Size), clip(e.Noise.Bytes), e.Noise.Why
	case e.Stderr != nil:
		row.Size, row.Text = len(e.Stderr.Bytes), clip(e.Stderr.Bytes)
	case e.Phase != nil:
		row.Text = strings.TrimSpace(string(e.Phase.Name) + " " + e.Phase.Reason)
	case e.Act != nil:
		a := e.Act
		row.Call, row.Round, row.Method, row.Name = a.Call, a.Round, a.Method, a.Name
		row.Text = string(a.Kind)
		if a.Note != "" {
			row.Text += ": " + a.Note
		}
	}
	return row
}

func (r *Row) frame(f *trace.Frame, m rpc.Message) {
	r.Dir, r.Kind, r.ID, r.Method = f.Dir, m.Kind, m.ID, m.Method
	r.Size, r.Exchange, r.Why = max(len(f.Bytes), f.Size), f.Exchange, f.Cause.Why
	r.Call, r.Round = f.Cause.Call, f.Cause.Round
	if len(m.Problems) > 0 {
		r.Problem = m.Problems[0].Text
	}
	switch m.Kind {
	case rpc.NotJSON, rpc.Invalid:
		r.Text = clip(f.Bytes)
	case rpc.Request:
		r.Name = nameOf(m)
	case rpc.Failure:
		if f.Dir == trace.In {
			body, _ := rpc.ReadError(m.Error)
			r.Code, r.Text = body.Code, body.Message
		}
	case rpc.Notification:
		switch {
		case f.Dir != trace.In:
		case m.Method == "notifications/message":
			r.Text = logText(m)
		case m.Method == "notifications/progress":
			r.Text = progressText(m)
		}
	}
}

// logText is what a log notification says.
func logText(m rpc.Message) string {
	data := rpc.Member(m.Params, "data")
	if text, ok := rpc.String(data); ok {
		return text
	}
	return clip(data)
}

// progressText is what a progress notification says: "2 of 5 half-way".
func progressText(m rpc.Message) string {
	text := clip(rpc.Member(m.Params, "progress"))
	if total := rpc.Member(m.Params, "total"); total != nil {
		text += " of " + clip(total)
	}
	return strings.TrimSpace(text + " " + rpc.Text(m.Params, "message"))
}

// clip takes as much of a text as a row shows.
func clip(b []byte) string {
	const most = 400
	if len(b) > most {
		b = b[:most]
	}
	return string(b)
}
