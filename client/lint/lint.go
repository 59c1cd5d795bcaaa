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
	Call     int // the call it belongs to, 0 for none
}

// Bounds on what is kept. A server that breaks a rule with every frame is known
// after a few hundred of them; the counts go on.
const (
	maxFindings = 5000
	maxPerRule  = 500
)

// Linter folds events into findings. It is used from one goroutine.
type Linter struct {
	fold
	rules    *table
	findings []Finding
	counts   map[string]int
	once     map[string]bool
	added    int // findings of the event at hand start here
}

// New returns a linter before its first event.
func New() *Linter {
	return &Linter{fold: newFold(), rules: compiled(), counts: map[string]int{}, once: map[string]bool{}}
}

// Apply folds one event in and returns what it shows to be wrong. Events must
// come in the order of their numbers. The slice is valid until the next call.
func (l *Linter) Apply(e trace.Event) []Finding {
	l.added = len(l.findings)
	switch {
	case e.Frame != nil:
		l.frame(e)
	case e.HTTP != nil:
		l.http(e)
	case e.Noise != nil:
		l.run(&view{l: l, e: e, x: l.exchanges[e.Noise.Exchange], era: l.era}, onNoise)
	case e.Phase != nil:
		l.phase(e)
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
	if r.once {
		key := r.id + "\x00" + f.Message
		if l.once[key] || len(l.once) >= maxFindings {
			return
		}
		l.once[key] = true
	}
	l.counts[r.id]++
	if l.counts[r.id] <= maxPerRule && len(l.findings) < maxFindings {
		l.findings = append(l.findings, f)
	}
}
