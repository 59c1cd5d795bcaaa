package wire

import (
	"mcptui/client/session"
	"mcptui/client/trace"
)

// Log reads what the session does not keep: the bytes of events, and the events
// whose rows it has given up.
type Log interface {
	// Event returns an event; ok is false where there is none.
	Event(seq int) (e trace.Event, ok bool)
}

// A filter looks at everything in slices, so that the first rows are there at
// once and a key never waits for the whole of it.
const (
	sliceRows = 8192  // whose bytes one job asks for at most
	syncRows  = 32768 // that are looked at before the screen is drawn
)

// Job is what needs the log: it runs beside the UI, and Take takes what it found.
type Job struct {
	filter Filter
	turn   int
	fit    []int32 // rows that fit by what they say
	asked  []asked // rows whose bytes decide, in their order
}

// asked is a row whose bytes decide.
type asked struct {
	index int32
	words uint64 // that are still to be found
	gone  bool   // nothing is known of the row
}

// Found is what a job found.
type Found struct {
	turn int
	fit  []int32
}

// Run looks. It may read a file.
func (j *Job) Run(log Log) Found {
	out := make([]int32, 0, len(j.fit))
	rest := j.fit
	for _, a := range j.asked {
		for len(rest) > 0 && rest[0] < a.index {
			out, rest = append(out, rest[0]), rest[1:]
		}
		e, ok := log.Event(int(a.index) + 1)
		if !ok {
			continue
		}
		if a.gone {
			row := session.RowOf(e)
			if e.Frame != nil {
				e.Frame.Forget()
			}
			if ok, a.words = j.filter.row(&row); !ok {
				continue
			}
		}
		if j.filter.event(e, a.words) {
			out = append(out, a.index)
		}
	}
	return Found{turn: j.turn, fit: append(out, rest...)}
}

// Sync takes in what has come. It looks at each row once, and stops where bytes
// have to be asked for: Job does that.
func (v *View) Sync(sess *session.Session) {
	v.total = sess.Rows.Len()
	if v.filter.Empty() || v.job != nil {
		return
	}
	from := v.seen
	var fit []int32
	var ask []asked
	for ; v.seen < v.total && len(ask) < sliceRows && v.seen-from < syncRows; v.seen++ {
		row := sess.Rows.Row(v.seen + 1)
		if row.Gone {
			ask = append(ask, asked{index: int32(v.seen), gone: true})
			continue
		}
		switch ok, words := v.filter.row(&row); {
		case !ok:
		case words != 0:
			ask = append(ask, asked{index: int32(v.seen), words: words})
		default:
			fit = append(fit, int32(v.seen))
		}
	}
	if len(ask) == 0 {
		v.take(fit)
		if v.seen == v.total {
			return
		}
		fit = nil // and an empty job goes on with it
	}
	v.job = &Job{filter: v.filter, turn: v.turn, fit: fit, asked: ask}
}

// Job returns what needs the log, once; nil where nothing does.
func (v *View) Job() *Job {
	if v.job == nil || v.running {
		return nil
	}
	v.running = true
	return v.job
}

// Take takes what a job found in, and goes on.
func (v *View) Take(f Found, sess *session.Session) {
	if f.turn != v.turn {
		return // of a filter that was
	}
	v.job, v.running = nil, false
	v.take(f.fit)
	v.Sync(sess)
}

// take appends rows that fit. Until the person moves, the row that was selected
// before the filter is looked for.
func (v *View) take(fit []int32) {
	v.shown = append(v.shown, fit...)
	if v.want >= 0 {
		v.goTo(v.want)
	}
}

// Searching returns how many rows are not looked at yet.
func (v *View) Searching() int {
	switch {
	case v.filter.Empty():
		return 0
	case v.job != nil:
		return v.total - v.seen + len(v.job.asked)
	}
	return v.total - v.seen
}

// keepRead is how many rows that were read back are kept.
const keepRead = 2048

// Look notes what the next frame shows and the session has given up.
func (v *View) Look(sess *session.Session) {
	whole, h := sess.Rows.Whole(), max(v.area.Dy(), 1)
	if whole == 1 {
		return
	}
	v.index() // follows
	for _, at := range []int{v.list.Cursor - h, v.list.Top} {
		for i := max(0, at); i < min(at+2*h, v.len()) && v.row(i)+1 < whole; i++ {
			v.at(sess, v.row(i)+1)
		}
	}
}

// Missing returns the events whose rows are to be read back, once.
func (v *View) Missing() []int {
	out := v.missing
	v.missing = nil
	return out
}

// Miss notes an event whose row is to be read back from the log.
func (v *View) Miss(seq int) {
	if _, asked := v.far[seq]; asked || seq < 1 {
		return
	}
	if v.far == nil || len(v.far) >= keepRead {
		v.far = map[int]session.Row{}
	}
	v.far[seq] = session.Row{Seq: seq, Gone: true}
	v.missing = append(v.missing, seq)
}

// Supply takes rows that were read back.
func (v *View) Supply(rows []session.Row) {
	for _, r := range rows {
		v.far[r.Seq] = r
	}
	v.supplied++
}

// Supplied counts how often rows were read back.
func (v *View) Supplied() int { return v.supplied }

// Read returns the row of an event that was read back from the log.
func (v *View) Read(seq int) (session.Row, bool) {
	row, ok := v.far[seq]
	return row, ok && !row.Gone
}

// at is the row of an event, as far as it is known.
func (v *View) at(sess *session.Session, seq int) session.Row {
	row := sess.Rows.Row(seq)
	if !row.Gone {
		return row
	}
	if read, ok := v.Read(seq); ok {
		return read
	}
	v.Miss(seq)
	return row
}
