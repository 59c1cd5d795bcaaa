package lint

import (
	"sync"

	"mcptui/client/rpc"
	"mcptui/client/state"
	"mcptui/client/trace"
)

// when is what a rule looks at.
type when int

// What rules look at. Each is run once for each such thing, before the fold
// has taken it in.
const (
	onFrame   when = iota // any frame that came
	onSent                // any frame that was sent
	onRequest             // a request of the client
	onNotify              // a notification of the client
	onAnswer              // a response of the client to a request of the server
	onReply               // a response of the server
	onResult              // a result of the server
	onFailure             // an error of the server
	onTold                // a notification of the server
	onAsk                 // something that the server wants of the person, in either era
	onBlock               // a content block of the server
	onPair                // a request over HTTP whose headers and body are both known
	onStatus              // status and headers of an HTTP response
	onEnd                 // the end of an HTTP exchange
	onNoise
	onClose // the end of the server
	whens
)

// rule is one thing to look for.
type rule struct {
	id       string
	severity Severity
	against  Side
	when     when
	modern   Section // zero: does not apply in the modern era
	legacy   Section // zero: does not apply in the legacy era
	check    func(*view)
	once     bool // the same sentence is said once a connection
}

// section is where the era's specification speaks of it.
func (r *rule) section(era trace.Era) Section {
	if era == trace.Legacy && r.legacy != (Section{}) {
		return r.legacy
	}
	if r.modern != (Section{}) {
		return r.modern
	}
	return r.legacy
}

func (r *rule) applies(era trace.Era) bool {
	switch era {
	case trace.Modern:
		return r.modern != (Section{})
	case trace.Legacy:
		return r.legacy != (Section{})
	}
	return true
}

// now and before name sections of the two revisions that the eras end with.
func now(page, title string) Section { return Section{"2026-07-28", page, title} }

func before(page, title string) Section { return Section{"2025-11-25", page, title} }

type table [whens][]*rule

// compiled sorts the rules by what they look at.
var compiled = sync.OnceValue(func() *table {
	var t table
	for _, topic := range [][]rule{
		envelopeRules(), idRules(), errorRules(), metaRules(), versionRules(), resultTypeRules(), headerRules(), httpRules(),
		askRules(), retryRules(), stateRules(), elicitationRules(), samplingRules(), capabilityRules(),
		listRules(), toolRules(), cacheRules(), resultRules(), contentRules(), progressRules(), logRules(), subscriptionRules(), streamRules(),
	} {
		for i := range topic {
			r := &topic[i]
			t[r.when] = append(t[r.when], r)
		}
	}
	return &t
})

// Rules lists the rules as findings without a frame: name, severity, side,
// section, for documentation and for filters.
func Rules() []Finding {
	var out []Finding
	for _, list := range compiled() {
		for _, r := range list {
			out = append(out, Finding{Rule: r.id, Severity: r.severity, Against: r.against, Section: r.section("")})
		}
	}
	return out
}

// view is what a rule sees.
type view struct {
	l      *Linter
	rule   *rule
	e      trace.Event
	era    trace.Era
	prefix string // JSON Pointer of an element of a batch, or of the part that is looked at

	m   rpc.Message // of frames
	req *request    // the request at hand: the one sent, or the one that is answered
	x   *exchange   // nil on a byte stream

	ask    ask      // with onAsk
	block  []byte   // with onBlock
	blocks []member // its members
	at     string   // with onAsk and onBlock: where in the message

	parsed *parsed // of a response, shared by the views of its parts
}

// parsed is what many rules need of one response, read once: a result may be
// tens of megabytes.
type parsed struct {
	result []member
	state  *state.Decoded
}

// member is one member of an object.
type member struct {
	name string
	raw  []byte
}

func members(object []byte) []member {
	var out []member
	for k, v := range rpc.Members(object) {
		out = append(out, member{k, v})
	}
	return out
}

// get finds what is below a member; of two with the same name the last counts.
func get(list []member, path []string) []byte {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].name == path[0] {
			return rpc.Member(list[i].raw, path[1:]...)
		}
	}
	return nil
}

// result returns a member of the result, or what is below it.
func (v *view) result(path ...string) []byte {
	if v.parsed == nil {
		return nil
	}
	return get(v.parsed.result, path)
}

// resultText is result as text, "" where it is none.
func (v *view) resultText(path ...string) string {
	s, _ := rpc.String(v.result(path...))
	return s
}

// asks reports a result that asks for input.
func (v *view) asks() bool { return v.resultText("resultType") == "input_required" }

// part returns a member of the content block, or what is below it.
func (v *view) part(path ...string) []byte { return get(v.blocks, path) }

// partText is part as text, "" where it is none.
func (v *view) partText(path ...string) string {
	s, _ := rpc.String(v.part(path...))
	return s
}

func (l *Linter) run(v *view, w when) {
	for _, r := range l.rules[w] {
		if r.applies(v.era) {
			v.rule = r
			r.check(v)
		}
	}
}

// call is the call that a finding belongs to.
func (v *view) call() int {
	switch {
	case v.e.Frame != nil && v.e.Frame.Cause.Call != 0:
		return v.e.Frame.Cause.Call
	case v.req != nil:
		return v.req.call
	case v.x != nil && v.x.req != nil:
		return v.x.req.call
	}
	return 0
}
