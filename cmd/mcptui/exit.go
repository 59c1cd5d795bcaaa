package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Exit codes: a promise to scripts.
const (
	exitDone         = 0
	exitToolError    = 1
	exitUsage        = 2
	exitConnect      = 3
	exitProtocol     = 4
	exitInput        = 5
	exitUnauthorized = 6
	exitTimeout      = 124
	exitInterrupted  = 130
	exitTerminated   = 143
)

// failure is an error that knows its exit code and its place in the error
// document that --json prints.
type failure struct {
	exit int
	kind string // of the error document
	code *int   // JSON-RPC code
	data json.RawMessage
	asks json.RawMessage
	err  error
	// lastWords is the end of what the server wrote to standard error. It stands on ours
	// already, right before the line for people: only the document repeats it.
	lastWords string
	// elsewhere is that nothing is wrong with the command line: its help would not help.
	elsewhere bool
	hide      func(string) string // masks secrets; nil masks nothing
}

func (f *failure) Error() string { return f.masked(f.err.Error()) }

func (f *failure) masked(s string) string {
	if f.hide != nil {
		return f.hide(s)
	}
	return s
}

func (f *failure) Unwrap() error { return f.err }

// quiet is a failure that has been told already, by its result.
type quiet struct{ exit int }

func (q quiet) Error() string { return fmt.Sprintf("exit %d", q.exit) }

func usagef(format string, args ...any) error {
	return &failure{exit: exitUsage, kind: "usage", err: fmt.Errorf(format, args...)}
}

func usage(err error) *failure {
	return &failure{exit: exitUsage, kind: "usage", err: err}
}

// asFailure gives every error its code: what carries none is wrong usage, since
// flags and files are all that fail before a server is named.
func asFailure(err error) *failure {
	var f *failure
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, errInterrupted):
		return &failure{exit: exitInterrupted, kind: "interrupted", err: err}
	case errors.Is(err, errTerminated):
		return &failure{exit: exitTerminated, kind: "interrupted", err: err}
	case errors.Is(err, context.DeadlineExceeded):
		return &failure{exit: exitTimeout, kind: "timeout", err: err}
	}
	return &failure{exit: exitUsage, kind: "usage", err: err}
}

// document is the one JSON document of a run that failed.
func (f *failure) document() []byte {
	body := struct {
		Kind    string          `json:"kind"`
		Code    *int            `json:"code,omitempty"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data,omitempty"`
		Asks    json.RawMessage `json:"asks,omitempty"`
	}{f.kind, f.code, f.masked(f.err.Error() + f.lastWords), f.data, f.asks}
	raw, err := encode(map[string]any{"error": body})
	if err != nil { // data or asks were not JSON: they are left out rather than the document
		body.Data, body.Asks = nil, nil
		raw, _ = encode(map[string]any{"error": body})
	}
	return append(raw, '\n')
}
