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

	apply func(Material) (Retry, string, error)
	judge func(Material, reply) Judgement
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
	Clean     Retry // what a conforming client would send
	Asked     []Asked
	Foreign   []Foreign
	Early     map[string]json.RawMessage // answers, by key, to asks that come later in such a call
	UsedIDs   []json.RawMessage          // ids of earlier requests
	Principal []Header                   // headers of another principal
	Now       time.Time
}

// Tampered is a retry after a preset.
type Tampered struct {
	Retry
	Change string // what was changed, one sentence
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

// Apply does to the clean retry what the preset says. The error wraps ErrNotHere
// where that cannot be done.
func (p Preset) Apply(m Material) (Tampered, error) {
	r, change, err := p.apply(m)
	if err != nil {
		return Tampered{}, err
	}
	return Tampered{Retry: r, Change: change}, nil
}

// Judge says what the answer to the tampered retry, a whole JSON-RPC message,
// shows of the server. Nil means that none has come.
func (p Preset) Judge(m Material, response []byte) Judgement {
	r := readReply(response)
	if r.kind == noReply {
		return Judgement{Waiting, "no answer yet"}
	}
	return p.judge(m, r)
}

const (
	serverReq = "Multi Round-Trip Requests, Server Requirements, "
	rev       = " (2026-07-28)"
	integrity = serverReq + "4" + rev
	replay    = serverReq + "5" + rev
	declared  = serverReq + "7" + rev
	faults    = "Multi Round-Trip Requests, Error Handling" + rev
	requests  = "Messages, Requests" + rev
	actions   = "Elicitation, Response Actions" + rev
)

const (
	mustVerify  = "state that fails verification must be rejected, unless changing it can cause nothing worse than a failed request"
	shouldBind  = "state presented on a request that it was not made for should be rejected"
	shouldValid = "answers should be checked; one that is malformed should be asked for again or refused"
	atMostOnce  = "a server whose state may be used only once must see to that itself; otherwise nothing forbids a second use"
)

// Presets returns all presets, in the order in which they are offered.
func Presets() []Preset {
	return []Preset{
		{"state-drop", "leave the state out", Silent, "nothing is said of a retry without its state", integrity, dropState, refusedOrSilent},
		{"state-flip", "flip one byte of the state", Must, mustVerify, integrity, flipState, refuses},
		{"state-truncate", "truncate the state", Must, mustVerify, integrity, truncateState, refuses},
		{"state-edit", "edit the payload of the state", Must, mustVerify, integrity, editState, refuses},
		{"state-round", "the state of another round", Silent, "the state of an earlier round is bound to the same request; nothing is said of it", replay, foreign(FromRound), refusedOrSilent},
		{"state-call", "the state of another call", Should, shouldBind, replay, foreign(FromCall), refuses},
		{"state-tool", "the state of another tool", Should, shouldBind, replay, foreign(FromTool), refuses},
		{"state-finished", "the state of a finished call again", Silent, atMostOnce, replay, foreign(FromFinished), refusedOrSilent},
		{"state-expired", "the state past its expiry", Should, "state should have a short life and be rejected after it", replay, expiredState, refuses},
		{"answer-early", "an answer before it was asked", Should, "what was not asked for should be ignored", faults, earlyAnswer, ignores},
		{"answer-unknown", "an answer that was not asked for", Should, "what was not asked for should be ignored", faults, unknownAnswer, ignores},
		{"answer-missing", "one answer left out", Should, "what is missing should be asked for again, rather than answered with an error", faults, missingAnswer, asksAgain},
		{"answer-type", "a value of the wrong type", Should, shouldValid, faults, wrongType, rejectsAnswer},
		{"answer-number", "a number for an answer", Should, shouldValid, faults, rawAnswer(`42`), rejectsAnswer},
		{"answer-null", "null for an answer", Should, shouldValid, faults, rawAnswer(`null`), rejectsAnswer},
		{"answer-array", "an array for an answer", Should, shouldValid, faults, rawAnswer(`[]`), rejectsAnswer},
		{"answer-declined", "decline, with content", Silent, "content of a decline is typically left out; nothing is said of one that has it", actions, declineWithContent, refusedOrSilent},
		{"arguments", "changed arguments", Should, shouldBind, replay, changedArguments, refuses},
		{"capabilities", "no capabilities", Must, "a client must not be asked for what it does not declare", declared, noCapabilities, asksNothing},
		{"principal", "another principal", Should, "state presented by a different principal should be rejected", replay, otherPrincipal, refuses},
		{"id-used", "an id that was used before", Silent, "ids of requests that were answered may come again; the retry itself must not have that of its request", requests, usedID, refusedOrSilent},
		{"twice", "the same retry twice at once", Silent, atMostOnce, replay, twice, refusedOrSilent},
	}
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
