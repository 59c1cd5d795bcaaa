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
			rec, damage, err := openDamaged(args[0])
			if err != nil {
				return err
			}
			if damage != nil { // told twice: on the screen, and where the terminal was before
				a.tell("%s", damage)
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
				Damage: damage, Suspends: suspends(),
			})
			return a.show(cmd.Context(), model, nil, nil)
		},
	}
	cmd.Flags().BoolVar(&a.flags.noColor, "no-color", false, "no colours")
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

// readRecording reads the events of a recording. Of one that is damaged, those before
// the damage come together with the error.
func readRecording(file string) ([]trace.Event, error) {
	rec, damage, err := openDamaged(file)
	if err == nil && damage != nil {
		err = unreadable(damage)
	}
	return rec.Events, err
}

// openDamaged reads a recording as far as it can be read. Damage is why the rest
// cannot, named by its place; where not one event can be read, that is an error.
func openDamaged(file string) (rec trace.Recording, damage, err error) {
	f, err := os.Open(file)
	if err != nil {
		return rec, nil, usage(fmt.Errorf("open recording: %w", err))
	}
	defer f.Close() // read only
	rec, err = trace.OpenRecording(f)
	if err == nil {
		return rec, nil, nil
	}
	var at *trace.Damage
	if errors.As(err, &at) {
		err = fmt.Errorf("%s:%d:%d: %w", file, at.Line, at.Column, at.Err)
	} else {
		err = fmt.Errorf("%s: %w", file, err)
	}
	if len(rec.Events) == 0 {
		return rec, nil, unreadable(err)
	}
	return rec, err, nil
}

// unreadable is that a file cannot be read or parsed: no fault of the command line.
func unreadable(err error) *failure {
	return &failure{exit: exitUsage, kind: "usage", err: err, elsewhere: true}
}
