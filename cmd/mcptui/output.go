package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"syscall"

	"golang.org/x/term"

	"mcptui/ui/text"
)

// terminal reports whether a stream is one.
func terminal(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// safe makes text from a server fit for the stream that it goes to: for a
// terminal it is cleaned, to a pipe it passes untouched.
func safe(stream io.Writer, s string) string {
	if terminal(stream) {
		return text.Clean(s)
	}
	return s
}

// shown is safe, with secrets masked where a person reads it.
func (a *app) shown(stream io.Writer, s string) string {
	if terminal(stream) {
		s = a.secrets.Text(s)
	}
	return safe(stream, s)
}

// print writes to standard output, and fails as the write does.
func (a *app) print(s string) error { return a.write([]byte(a.shown(a.Out, s))) }

// printJSON prints a document, given in parts, as it is, and a line end.
func (a *app) printJSON(doc ...[]byte) error {
	if terminal(a.Out) {
		return a.print(string(bytes.Join(doc, nil)) + "\n")
	}
	for _, part := range doc { // not joined: it can be large
		if err := a.write(part); err != nil {
			return err
		}
	}
	return a.write([]byte{'\n'})
}

// output is standard output as a writer that fails as write does.
type output struct{ a *app }

func (o output) Write(b []byte) (int, error) {
	if err := o.a.write(b); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (a *app) write(b []byte) error {
	a.Signals.wait()
	_, err := a.Out.Write(b)
	switch {
	case errors.Is(err, syscall.EPIPE):
		return errOutputClosed
	case err != nil:
		f := usage(fmt.Errorf("write output: %w", err))
		f.elsewhere = true
		return f
	}
	return nil
}

// encode is JSON without the HTML escapes of encoding/json, which would change
// what a server wrote.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// tell writes a line of our own to standard error.
func (a *app) tell(format string, args ...any) {
	a.Signals.wait()
	a.narrates.fresh()
	fmt.Fprintln(a.Err, "mcptui: "+a.shown(a.Err, fmt.Sprintf(format, args...)))
}
