package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"mcptui/client"
	"mcptui/client/schema"
	"mcptui/client/trace"
	"mcptui/cmd/mcptui/internal/rerun"
	"mcptui/ui"
)

// tuiGrace is a child's time from the end of its input to TERM: a person would
// rather see it end by itself.
const tuiGrace = 2 * time.Second

// openTUI runs the terminal UI on a server.
func (a *app) openTUI(cmd *cobra.Command, args, patterns []string) error {
	mine, server, err := a.split(cmd, args, 0)
	if err != nil {
		return err
	}
	if len(mine) > 0 {
		var names []string
		for _, c := range cmd.Commands() {
			names = append(names, c.Name())
		}
		return usagef("%q is no command%s (a server's command goes behind --)", mine[0], schema.DidYouMean(mine[0], names))
	}
	if !terminal(a.In) || !terminal(a.Out) {
		return usagef("the terminal UI needs a terminal on standard input and output; for scripts there are 'mcptui call', 'mcptui tools' and others")
	}
	a.Signals.wait()
	c := &connections{app: a, cmd: cmd, server: server, crashed: make(chan error, 1)}
	first, named, err := a.firstChoice(server)
	if err != nil {
		return err
	}
	if !named && len(patterns) == 0 {
		return a.choose(c)
	}
	c.named = first.id()
	p, err := c.prepare(a, server)
	if err != nil {
		return err
	}
	w, err := a.watch(p.opts, patterns)
	if err != nil {
		return errors.Join(err, p.drop())
	}
	screen, err := c.open(p)
	if err != nil {
		return err
	}
	if w.files == nil { // what is watched is one server
		screen.Switching = c.switching(c.named)
	}
	ctx := cmd.Context()
	return errors.Join(a.show(ctx, w.around(ctx, ui.New(screen), c.now.conn), c.crashed, w.run), c.close())
}

// choose opens the UI on the list of servers; a person chooses one.
func (a *app) choose(c *connections) error {
	model := ui.New(ui.Options{Server: c.server.config, Env: a.Env, Switching: c.switching("")})
	return errors.Join(a.show(c.cmd.Context(), model, c.crashed, nil), c.close())
}

func targetName(o client.Options) string {
	switch {
	case o.Target.URL != "":
		return trace.MaskURL(o.Target.URL)
	case o.Target.Command != "":
		return o.Target.Command
	}
	return "built-in server"
}

func (a *app) closeConn(conn *client.Conn) error {
	ctx, cancel := a.closing()
	defer cancel()
	if err := conn.Close(ctx); err != nil {
		return &failure{exit: exitConnect, kind: "connect", err: fmt.Errorf("close the connection: %w", err)}
	}
	return nil
}

// show runs a model on the terminal. It returns once the terminal is as it was:
// after quit, a signal, the end of the terminal, or a panic anywhere.
// Beside, where given, runs as long as the program does.
func (a *app) show(ctx context.Context, model tea.Model, crashed <-chan error, beside func(context.Context, *tea.Program)) error {
	a.Signals.wait()
	faults := make(chan error, 1)
	p := tea.NewProgram(guarded{crashModel(model), faults}, tea.WithInput(a.In), tea.WithOutput(a.Out), tea.WithEnvironment(a.Env), tea.WithoutSignalHandler())
	ended := make(chan struct{})
	var fault error
	watched := make(chan struct{})
	go func() { // ends with the program
		defer close(watched)
		select {
		case <-ctx.Done():
			p.Kill()
		case fault = <-crashed:
			p.Kill()
		case fault = <-faults:
			p.Kill()
		case <-ended:
		}
	}()
	running, stop := context.WithCancel(ctx)
	var others sync.WaitGroup
	if beside != nil {
		others.Go(func() { beside(running, p) })
	}
	last, err := p.Run()
	stop()
	others.Wait()
	close(ended)
	<-watched
	switch {
	case fault != nil:
		return &failure{exit: exitProtocol, kind: "protocol", err: fault}
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, tea.ErrInterrupted):
		return errInterrupted
	case err != nil:
		return &failure{exit: exitProtocol, kind: "protocol", err: fmt.Errorf("terminal: %w", err)}
	}
	return a.farewell(last)
}

// farewell says what a model has to say once the terminal is as it was.
func (a *app) farewell(last tea.Model) error {
	if g, ok := last.(guarded); ok {
		last = g.Model
	}
	if w, ok := last.(rerun.Model); ok {
		last = w.Model
	}
	if m, ok := last.(interface{ Farewell() string }); ok && m.Farewell() != "" {
		if _, err := fmt.Fprintln(a.Err, "mcptui: "+m.Farewell()); err != nil {
			return fmt.Errorf("standard error: %w", err)
		}
	}
	return nil
}

// saveBody writes a body to a new file in the working directory.
func saveBody(hint string, body []byte) (string, error) {
	f, err := createNew("mcptui-" + fileName(hint))
	if err != nil {
		return "", fmt.Errorf("save: %w", err)
	}
	if _, err := f.Write(body); err != nil {
		return "", errors.Join(fmt.Errorf("save %s: %w", f.Name(), err), f.Close())
	}
	return f.Name(), f.Close()
}

// createNew creates a file of this name, or of the next that is free: "name-2.ext"
// and on. What is there already is never touched.
func createNew(name string) (*os.File, error) {
	ext := filepath.Ext(name)
	for n, free := 2, name; ; n++ {
		f, err := os.OpenFile(free, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
		free = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
	}
}

// fileName keeps of a hint what is harmless in the name of a file; what is too long
// loses its middle, and not what tells its kind.
func fileName(hint string) string {
	out := []byte{}
	for _, c := range []byte(hint) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_', c == '.':
			out = append(out, c)
		default:
			out = append(out, '_')
		}
	}
	const most, tail = 100, 40
	if len(out) > most {
		out = append(out[:most-tail:most-tail], out[len(out)-tail:]...)
	}
	return string(out)
}
