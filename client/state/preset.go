package state

import (
	"encoding/json"
	"errors"
	"time"
)

// ErrNotHere is wrapped where a preset cannot be applied as things stand. The
// text says why, and what would help.
var ErrNotHere = errors.New("this preset does not apply")

// Demand is how firmly the specification asks something of a server.
type Demand string

// Demands.
const (
	Must   Demand = "MUST"
	Should Demand = "SHOULD"
	Silent Demand = "silent" // the specification does not say
)

// Preset is one thing that a client can do wrong on purpose to a retry, to see
// whether the server does as the specification asks.
type Preset struct {
	ID      string
	Title   string // what is done, a few words
	Demand  Demand
	Says    string // what the specification asks of the server, one sentence
	Section string // where, with the revision

	apply func(Material) (Tampered, error)
	judge func(Tampered, []reply) Judgement
}

// Retry is a retry as it leaves.
type Retry struct {
	Method  string
	ID      json.RawMessage
	Params  json.RawMessage
	Headers []Header // replace those that would be sent
	Twice   bool     // two at once, with ids of their own
}

// Header is one HTTP header.
type Header struct{ Name, Value string }

// Asked is one ask of the round that the retry answers.
type Asked struct {
	Key    string
	Method string
	Params json.RawMessage
}

// Foreign is a state that was given elsewhere.
type Foreign struct {
	From  Origin
	Where string // "round 1", "call 3 (book_table)"
	Token string // the raw JSON string
	Same  bool   // it was given to the same request: method, name and arguments
}

// Early is an answer that is known before it is asked for.
type Early struct {
	Key    string
	Answer json.RawMessage
}

// Origin is where a foreign state was given.
type Origin string

// Origins of foreign states.
const (
	FromRound    Origin = "another round of this call"
	FromCall     Origin = "another call of the same tool"
	FromTool     Origin = "a call of another tool"
	FromFinished Origin = "a call that has ended"
)

// Material is what presets work with.
type Material struct {
	Clean     Retry             // what a conforming client would send
	Asked     []Asked           // by the round that the retry answers
	Before    []string          // keys of the asks of earlier rounds
	Foreign   []Foreign         // the one that tells most last
	Early     []Early           // answers to asks that come later in such a call, the next first
	UsedIDs   []json.RawMessage // ids of earlier requests; the last is tried first
	Headers   bool              // the transport has headers
	Principal []Header          // headers of another principal; nil where they are not known
	Keys      []Key             // to read states with
	Now       time.Time
}

// Tampered is a retry after a preset.
type Tampered struct {
	Retry
	Preset Preset
	Change string // what was changed, one sentence

	// What the verdict hangs on.
	asked    []Asked
	before   []string
	key      string // the answer that was changed
	unsigned bool   // the state is readable, and nothing protects it
	fits     bool   // the state put in was made for the same request
	invented bool   // the principal was made up
}

// Verdict is what a server made of a preset.
type Verdict string

// Verdicts.
const (
	Kept    Verdict = "kept"   // it did what the specification asks
	Broken  Verdict = "broken" // it did not
	NoWord  Verdict = "silent" // the specification does not say, or the answer does not tell
	Waiting Verdict = ""       // there is no answer yet
)

// Judgement is a verdict and the reason for it.
type Judgement struct {
	Verdict Verdict
	Text    string // one sentence
}

// Outcome is what came of a tampered retry.
type Outcome struct {
	Message []byte // a whole JSON-RPC message; nil where none came
	Status  int    // the HTTP status of a response without a message
	Lost    string // why no message will come; "" while one may
}

// Apply does to the clean retry what the preset says. The error wraps ErrNotHere
// where that cannot be done.
func (p Preset) Apply(m Material) (Tampered, error) {
	t, err := p.apply(m)
	if err != nil {
		return Tampered{}, err
	}
	t.Preset, t.asked, t.before = p, m.Asked, m.Before
	if token, err := m.token(); err == nil {
		d := Decode(token, m.Keys...)
		t.unsigned = d.Payload != nil && d.Signature.Status == Unsigned
	}
	return t, nil
}

// Judge says what the answer to the tampered retry shows of the server. A retry
// that was sent twice has two outcomes.
func (t Tampered) Judge(outcomes ...Outcome) Judgement {
	var replies []reply
	for _, a := range outcomes {
		r := readReply(a)
		if r.kind == noReply {
			return Judgement{Waiting, "no answer yet"}
		}
		replies = append(replies, r)
	}
	if len(replies) == 0 {
		return Judgement{Waiting, "no answer yet"}
	}
	return t.Preset.judge(t, replies)
}

const (
	serverReq = "Multi Round-Trip Requests, Server Requirements, "
	rev       = " (2026-07-28)"
	integrity = serverReq + "4" + rev
	replay    = serverReq + "5" + rev
	declared  = serverReq + "7" + rev
	echo      = "Multi Round-Trip Requests, Client Requirements, 2" + rev
	newID     = "Multi Round-Trip Requests, Client Requirements, 3" + rev
	faults    = "Multi Round-Trip Requests, Error Handling" + rev
	actions   = "Elicitation, Response Actions" + rev
)

const (
	mustVerify  = "state that fails verification must be rejected, unless changing it can cause nothing worse than a failed request"
	shouldBind  = "state presented on a request that it was not made for should be rejected"
	shouldValid = "answers should be checked: one that cannot be read is answered with an error, or asked for again"
	atMostOnce  = "a server whose state may be used only once must see to that itself; otherwise nothing forbids a second use"
)

// Presets returns all presets, in the order in which they are offered.
func Presets() []Preset {
	return []Preset{
		{"state-drop", "drop the state", Silent, "a client must echo the state; nothing is said of a server that gets none", echo, dropState, leftOpen},
		{"state-flip", "flip one byte of the state", Must, mustVerify, integrity, flipState, verifies},
		{"state-truncate", "truncate the state", Must, mustVerify, integrity, truncateState, verifies},
		{"state-edit", "edit the payload of the state", Must, mustVerify, integrity, editState, refuses},
		{"state-round", "the state of another round", Silent, "the state of another round is bound to the same request; nothing is said of it", replay, foreign(FromRound), leftOpen},
		{"state-call", "the state of another call", Should, shouldBind, replay, foreign(FromCall), binds},
		{"state-tool", "the state of another tool", Should, shouldBind, replay, foreign(FromTool), binds},
		{"state-finished", "the state of a finished call again", Silent, atMostOnce, replay, foreign(FromFinished), leftOpen},
		{"state-expired", "the state past its expiry", Should, "state should have a short life, and be rejected after it", replay, expiredState, refuses},
		{"answer-early", "an answer before it was asked", Should, "what the server does not recognise or need should be ignored", faults, earlyAnswer, ignoresEarly},
		{"answer-unknown", "a key that was not asked", Should, "what the server does not recognise or need should be ignored", faults, unknownAnswer, ignores},
		{"answer-missing", "leave an answer out", Should, "what is missing should be asked for again, rather than answered with an error", faults, missingAnswer, asksAgain},
		{"answer-type", "a value of the wrong type", Should, shouldValid, faults, wrongType, rejectsAnswer},
		{"answer-number", "a number for an answer", Should, shouldValid, faults, rawAnswer(`42`), rejectsAnswer},
		{"answer-null", "null for an answer", Should, shouldValid, faults, rawAnswer(`null`), rejectsAnswer},
		{"answer-array", "an array for an answer", Should, shouldValid, faults, rawAnswer(`[]`), rejectsAnswer},
		{"answer-declined", "decline, with content", Silent, "content is typically left out of a decline; nothing is said of one that has it", actions, declineWithContent, leftOpen},
		{"arguments", "changed arguments", Should, shouldBind, replay, changedArguments, matches},
		{"capabilities", "other capabilities: none", Must, "a client must not be asked for what it does not declare", declared, noCapabilities, asksNothing},
		{"principal", "another principal", Should, "state presented by a different principal should be rejected", replay, otherPrincipal, bindsPrincipal},
		{"id-used", "an id that was used before", Silent, "a client must give the retry an id of its own; nothing is said of a server that gets the old one", newID, usedID, leftOpen},
		{"twice", "the same retry twice at once", Silent, atMostOnce, replay, twice, servedTwice},
	}
}

// Page is where the section of a preset can be read, below the revision.
func (p Preset) Page() string {
	switch p.Section {
	case actions:
		return "client/elicitation#response-actions"
	case faults:
		return "basic/patterns/mrtr#error-handling"
	case echo, newID:
		return "basic/patterns/mrtr#client-requirements-basic-workflow"
	}
	return "basic/patterns/mrtr#server-requirements-basic-workflow"
}

// PresetByID finds a preset; ok is false where there is none of that name.
func PresetByID(id string) (p Preset, ok bool) {
	for _, p := range Presets() {
		if p.ID == id {
			return p, true
		}
	}
	return Preset{}, false
}
