package flow

import (
	"fmt"
	"slices"
	"time"
)

// timer is something that is due at a time of the session.
type timer struct {
	at   time.Duration
	call *call // dropped with it; nil for the connection's
	fire func()

	sends   *request // what it sends again, nil for nothing
	retries *round   // what it sends the retry of, nil for nothing
}

func (f *Flow) after(d time.Duration, c *call, fire func()) *timer {
	t := &timer{at: f.now + d, call: c, fire: fire}
	f.timers = append(f.timers, t)
	return t
}

func (f *Flow) drop(t *timer) {
	if i := slices.Index(f.timers, t); i >= 0 {
		f.timers = slices.Delete(f.timers, i, i+1)
	}
}

func (f *Flow) dropTimers(c *call) {
	f.timers = slices.DeleteFunc(f.timers, func(t *timer) bool { return t.call == c })
}

// Next returns the session time at which Tick is due; ok is false where nothing
// waits for a time.
func (f *Flow) Next() (at time.Duration, ok bool) {
	for _, t := range f.timers {
		if !ok || t.at < at {
			at, ok = t.at, true
		}
	}
	for _, r := range f.open {
		if d, has := r.deadline(); has && (!ok || d < at) {
			at, ok = d, true
		}
	}
	return at, ok
}

// Tick does what is due by now.
func (f *Flow) Tick(now time.Duration) {
	f.now = now
	for _, t := range slices.Clone(f.timers) {
		if t.at <= now && slices.Contains(f.timers, t) {
			f.drop(t)
			t.fire()
		}
	}
	for _, r := range slices.Clone(f.open) {
		if d, has := r.deadline(); has && d <= now && slices.Contains(f.open, r) {
			f.expire(r)
		}
	}
}

func (r *request) deadline() (time.Duration, bool) {
	if r.timeout <= 0 || r.paused {
		return 0, false
	}
	return r.since + r.left, true
}

func (f *Flow) expire(r *request) {
	if r.expired != nil {
		r.timeout = 0
		r.expired()
		return
	}
	f.close(r)
	f.cancelOnWire(r, "no answer in time")
	what := r.method
	if r.call != nil && r.call.name != "" {
		what += " " + r.call.name
	}
	why := fmt.Sprintf("no answer to %s (id %s) in %s", what, r.id, r.timeout)
	before := r.strays
	if r == f.neg.init {
		before = 0 // since it was started it has not sent anything else
	}
	if said := f.strayWords(f.strays - before); said != "" && r.exchange == 0 {
		why += "; " + said
	}
	f.settle(r, outcome{loss: lossTimeout, why: why})
}

// repause stops the clocks of requests while the server waits for a person, and
// starts them again after that.
func (f *Flow) repause() {
	for _, r := range f.open {
		asking := false
		for _, a := range f.inbox {
			// An ask without a certain owner may belong to any call that was open
			// when it came.
			if r.call != nil && (a.call == r.call || a.call == nil && a.came >= r.sent) {
				asking = true
				break
			}
		}
		switch {
		case asking && !r.paused:
			r.left -= f.now - r.since
			r.paused = true
		case !asking && r.paused:
			r.since, r.paused = f.now, false
		}
	}
}
