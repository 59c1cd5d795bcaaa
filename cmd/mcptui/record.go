package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"mcptui/client/trace"
)

// recording writes a connection's log to a file as it grows.
type recording struct {
	file *os.File
	rec  *trace.Recorder
	done chan struct{} // closed once nothing more is written
	err  error         // why nothing is; to be read once done
}

// unrecorded is that what happened was not written down, or not all of it. What
// the program was asked to do is done all the same.
type unrecorded struct{ error }

func (u *unrecorded) Unwrap() error { return u.error }

// apart takes out of what failed what was only not written down; nil for none.
func apart(err error) (failed, lost error) {
	switch e := err.(type) { // the parts themselves, not what they wrap
	case *unrecorded:
		return nil, e
	case interface{ Unwrap() []error }:
		for _, part := range e.Unwrap() {
			f, l := apart(part)
			failed, lost = errors.Join(failed, f), errors.Join(lost, l)
		}
		if lost == nil {
			return err, nil
		}
		return failed, lost
	}
	return err, nil
}

func newRecording(f *os.File, mask trace.Mask) *recording {
	return &recording{file: f, rec: trace.NewRecorder(f, mask), done: make(chan struct{})}
}

// openRecording opens what --record names; nil where nothing is recorded.
func (a *app) openRecording(env []string) (*recording, error) {
	if a.flags.record == "" {
		return nil, nil
	}
	f, err := os.OpenFile(a.flags.record, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, usage(fmt.Errorf("--record: %w", err))
	}
	return newRecording(f, a.mask(env)), nil
}

// saver saves what a log holds as a recording, in a new file in the
// working directory. Start is the wall clock at the log's beginning.
func (a *app) saver(log *trace.Log, start time.Time, env []string) func(string, func(trace.Event) bool) (string, error) {
	return func(hint string, keep func(trace.Event) bool) (string, error) {
		events := everything(log)
		if keep != nil {
			events = trace.Extract(events, keep)
		}
		f, err := createNew("mcptui-" + fileName(hint))
		if err != nil {
			return "", fmt.Errorf("save: %w", err)
		}
		rec := trace.NewRecorder(f, a.mask(env))
		rec.Start = start
		if err := rec.WriteAll(events); err != nil {
			return "", errors.Join(fmt.Errorf("save %s: %w", f.Name(), err), f.Close())
		}
		return f.Name(), f.Close()
	}
}

// mask says what must not be written down: the values of the environment that
// a server was given, beside what is always secret.
func (a *app) mask(env []string) trace.Mask {
	m := trace.Mask{Answers: a.flags.maskAnswers, Off: a.flags.showSecrets}
	for _, kv := range env {
		if _, value, ok := strings.Cut(kv, "="); ok {
			m.Secrets = append(m.Secrets, value)
		}
	}
	return m
}

// follow writes events until the log is closed.
func (r *recording) follow(log *trace.Log) {
	if r == nil {
		return
	}
	r.rec.Start = log.Start()
	go func() { // ends with the log; close waits for it
		defer close(r.done)
		if err := r.write(log); err != nil {
			r.err = &unrecorded{fmt.Errorf("--record: %w", err)}
		}
	}()
}

// broken waits until no more can be recorded, and says why; nil is that all was.
func (r *recording) broken(ctx context.Context) error {
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return nil
	}
}

func (r *recording) write(log *trace.Log) error {
	for after := 0; ; {
		events, err := log.Next(context.Background(), after)
		if errors.Is(err, trace.ErrClosed) {
			return nil
		}
		if err == nil {
			after = events[len(events)-1].Seq
			err = r.rec.WriteAll(events)
		}
		if err != nil {
			return err
		}
	}
}

// close waits for the last event to be written. The log must be closed.
func (r *recording) close() error {
	if r == nil {
		return nil
	}
	<-r.done
	if err := r.file.Close(); err != nil && r.err == nil {
		return &unrecorded{fmt.Errorf("--record: %w", err)}
	}
	return r.err
}
