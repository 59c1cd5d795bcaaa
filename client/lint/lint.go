// Package lint is a second fold over the event log: it says what is wrong with
// what crossed the wire, and where the specification says so. Each rule is a
// demand of the specification or a fault that real servers show. It reads
// events and nothing else, so that an old recording gets today's rules, and
// findings are never part of a recording.
//
// It judges both sides: what the server did, and what the client sent, which a
// person may have edited on purpose.
package lint

import (
	"fmt"
	"slices"

	"mcptui/client/trace"
)

// Severity is how much a finding matters.
type Severity string

// Severities, gravest first.
const (
	Error   Severity = "error"   // breaks a MUST, or nobody can work with it
	Warning Severity = "warning" // breaks a SHOULD, or is likely to go wrong
	Info    Severity = "info"    // allowed, and worth knowing
)

// Rank orders severities, the gravest first.
func (s Severity) Rank() int {
	switch s {
	case Error:
		return 0
	case Warning:
		return 1
	}
	return 2
}

// Side is who a finding is against.
type Side string

// The sides.
const (
	Server Side = "server"
	Client Side = "client"
)

// Section is a place in the specification.
type Section struct {
	Revision string
	Page     string // path below the revision, with the anchor where it has one
	Title    string
}

// String gives the title and the revision.
func (s Section) String() string { return s.Title + " (" + s.Revision + ")" }

// URL is where the section can be read.
func (s Section) URL() string {
	return "https://modelcontextprotocol.io/specification/" + s.Revision + "/" + s.Page
}

// Finding is one thing that is wrong.
type Finding struct {
	Rule     string
	Severity Severity
	Against  Side
	Frame    int    // number of the event that shows it
	Path     string // JSON Pointer in the message, or the name of a header
	Message  string // one sentence
	Section  Section
	Call     int // the call it belongs to, the first where there are several, 0 for none
	Again    int // how often it was found again after the server had been started anew
}

// Bounds on what is kept. A server that breaks a rule with every frame is known
// after a few hundred of them; the counts go on.
const (
	maxFindings = 5000
	maxPerRule  = 500
)

// near is how many events, a line of standard error perhaps, may lie between what
// broke the protocol and the end of the call that it ended.
const near = 4

// Linter folds events into findings. It is used from one goroutine.
type Linter struct {
	fold
	rules    *table
	findings []Finding
	counts   map[string]int
	once     map[string]int   // the finding of what is said once; -1 where it is not kept
	about    map[int][]int    // the findings of each call, those too that are listed with an earlier one
	before   map[string][]int // findings that are about no call, by what they say of which server
	nth      map[string]int   // how many of them this connection has shown
	target   string
	added    int // findings of the event at hand start here
	came     int // the newest event that brought something of the server
	first    int // its findings start here
}

// New returns a linter before its first event.
func New() *Linter {
	return &Linter{fold: newFold(), rules: compiled(), counts: map[string]int{},
		once: map[string]int{}, about: map[int][]int{}, before: map[string][]int{}, nth: map[string]int{}}
}

// Apply folds one event in and returns what it shows to be wrong. Events must
// come in the order of their numbers. The slice is valid until the next call.
func (l *Linter) Apply(e trace.Event) []Finding {
	l.added = len(l.findings)
	if e.Noise != nil || e.Frame != nil && e.Frame.Dir == trace.In {
		l.came, l.first = e.Seq, l.added
	}
	switch {
	case e.Frame != nil:
		l.frame(e)
	case e.HTTP != nil:
		l.http(e)
	case e.Noise != nil:
		l.run(&view{l: l, e: e, x: l.exchanges[e.Noise.Exchange], era: l.era}, onNoise)
	case e.Phase != nil:
		l.phase(e)
	case e.Act != nil && e.Act.Kind == trace.ActEnd && e.Act.Status == trace.Violated && e.Seq-l.came <= near:
		// What came last names no call that could be read, and ended this one.
		for i := l.first; i < len(l.findings); i++ {
			if f := &l.findings[i]; f.Call == 0 && f.Frame == l.came {
				f.Call = e.Act.Call
				l.about[f.Call] = append(l.about[f.Call], i)
			}
		}
	}
	return l.findings[l.added:]
}

// Findings returns all findings so far, in the order of their frames.
func (l *Linter) Findings() []Finding { return l.findings }

// Counts says how often each rule fired, those times too that are not kept as
// findings.
func (l *Linter) Counts() map[string]int { return l.counts }

// report adds a finding of the rule that the view runs.
func (v *view) report(path, format string, args ...any) {
	v.reportAs(v.rule.severity, path, format, args...)
}

// reportAs adds a finding of another severity than the rule's own.
func (v *view) reportAs(severity Severity, path, format string, args ...any) {
	l, r := v.l, v.rule
	f := Finding{
		Rule: r.id, Severity: severity, Against: r.against, Frame: v.e.Seq, Path: v.prefix + path,
		Message: fmt.Sprintf(format, args...), Section: r.section(v.era), Call: v.call(),
	}
	once := r.id + "\x00" + f.Message
	if r.once {
		if at, said := l.once[once]; said {
			l.share(at, f.Call)
			return
		}
		if len(l.once) >= maxFindings {
			return
		}
		l.once[once] = -1
	}
	place := r.id + "\x00" + l.target + "\x00" + f.Path + "\x00" + f.Message
	if n, known := l.nth[place]; f.Call == 0 && (known || len(l.nth) < maxFindings) {
		l.nth[place]++
		if n < len(l.before[place]) {
			l.findings[l.before[place][n]].Again++
			return
		}
	}
	l.counts[r.id]++
	if l.counts[r.id] > maxPerRule || len(l.findings) >= maxFindings {
		return
	}
	if r.once {
		l.once[once] = len(l.findings)
	}
	if f.Call == 0 {
		l.before[place] = append(l.before[place], len(l.findings))
	} else {
		l.about[f.Call] = append(l.about[f.Call], len(l.findings))
	}
	l.findings = append(l.findings, f)
}

// share lists a finding with one more call that it is about.
func (l *Linter) share(at, call int) {
	if at < 0 || call == 0 || slices.Contains(l.about[call], at) {
		return
	}
	l.about[call] = append(l.about[call], at)
}

// Of returns the findings that are about a call: its own, and those that are said
// once and were found in an earlier call, too.
func (l *Linter) Of(call int) []Finding {
	var out []Finding
	for _, i := range l.about[call] {
		out = append(out, l.findings[i])
	}
	return out
}
