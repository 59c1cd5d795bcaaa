package main

import (
	"context"
	"fmt"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcptui/client"
	"mcptui/cmd/mcptui/internal/rerun"
)

// watching is what --watch asks for; its zero value watches nothing.
type watching struct {
	files *rerun.Watcher
	again *rerun.Again
	limit time.Duration // of one restart
}

// watch prepares --watch. Only what we start can be restarted.
func (a *app) watch(o client.Options, patterns []string) (watching, error) {
	if len(patterns) == 0 {
		return watching{}, nil
	}
	if o.Target.Command == "" {
		return watching{}, usagef("--watch %q restarts a stdio server, and none is named; its command goes behind --", patterns[0])
	}
	here, err := os.Getwd()
	if err != nil {
		return watching{}, usage(fmt.Errorf("--watch: %w", err))
	}
	files, err := rerun.New(here, patterns)
	if err != nil {
		return watching{}, usage(err)
	}
	return watching{files: files, limit: o.Timeout + o.ProbeTimeout}, nil
}

// around puts the question into a model's last line.
func (w *watching) around(ctx context.Context, inner tea.Model, conn *client.Conn) tea.Model {
	if w.files == nil {
		return inner
	}
	w.again = &rerun.Again{Log: conn.Log(), Server: conn}
	return rerun.NewModel(inner, func() error {
		ctx, cancel := context.WithTimeout(ctx, w.limit)
		defer cancel()
		return w.again.Run(ctx)
	})
}

// run tells a program of changes until ctx ends.
func (w *watching) run(ctx context.Context, p *tea.Program) {
	if w.files == nil {
		return
	}
	if err := w.files.Run(ctx, func(file string) { p.Send(rerun.Changed{File: file}) }); err != nil {
		p.Send(rerun.Failed{Err: err})
	}
}
