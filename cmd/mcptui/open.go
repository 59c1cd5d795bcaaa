package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"mcptui/client/trace"
	"mcptui/ui"
)

func newOpen(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "open RECORDING", Short: "Open a recording in the terminal UI, with no server running",
		Example: "  mcptui --record session.jsonl\n  mcptui open session.jsonl",
		Args:    oneArg("RECORDING"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !terminal(a.In) || !terminal(a.Out) {
				return usagef("the terminal UI needs a terminal on standard input and output; 'mcptui lint' and 'mcptui diff' read recordings without one")
			}
			rec, err := openRecording(args[0])
			if err != nil {
				return err
			}
			keys, err := a.stateKeys()
			if err != nil {
				return err
			}
			log := trace.Replay(rec.Events)
			if rec.Start.IsZero() {
				rec.Start = time.Now().Add(-log.Now())
			}
			model := ui.New(ui.Options{
				Log: log, Server: args[0], Start: rec.Start, Env: a.Env, Keys: keys,
				Save: saveBody, Record: a.saver(log, rec.Start, nil), Editor: a.externalEditor,
			})
			return a.show(cmd.Context(), model, nil, nil)
		},
	}
	repeatable(cmd.Flags(), &a.flags.stateKeys, "state-key", "`KEY` to verify a decoded requestState with (repeatable)")
	return cmd
}

func oneArg(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usagef("%s takes one %s, got %d arguments", cmd.CommandPath(), name, len(args))
		}
		return nil
	}
}

// readRecording reads the events of a recording.
func readRecording(file string) ([]trace.Event, error) {
	rec, err := openRecording(file)
	return rec.Events, err
}

// openRecording reads a whole recording; what is broken is named by its place.
func openRecording(file string) (trace.Recording, error) {
	f, err := os.Open(file)
	if err != nil {
		return trace.Recording{}, usage(fmt.Errorf("open recording: %w", err))
	}
	defer f.Close() // read only
	rec, err := trace.OpenRecording(f)
	var damage *trace.Damage
	switch {
	case errors.As(err, &damage):
		return trace.Recording{}, usage(fmt.Errorf("%s:%d:%d: %w", file, damage.Line, damage.Column, damage.Err))
	case err != nil:
		return trace.Recording{}, usage(fmt.Errorf("%s: %w", file, err))
	}
	return rec, nil
}
