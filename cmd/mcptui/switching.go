package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"mcptui/client"
	"mcptui/client/trace"
	"mcptui/ui"
)

// connections are those of one run of the terminal UI, one after the other:
// each has ended, with its child, before the next begins.
type connections struct {
	app     *app
	cmd     *cobra.Command
	server  target     // as the command line names it
	crashed chan error // faults in any of them; the first is told

	// named is the ID of the server that the command line names, "" until one is
	// chosen out of its config file. Flags about one server are for this one.
	named string

	mu      sync.Mutex // held while one ends and the next begins
	choices map[string]choice
	now     *connection // nil where there is none
	records int         // recordings that were begun
	over    bool        // the program ends: nothing begins any more
	failed  error       // what went wrong at the end of earlier ones
}

// connection is an open one, with what ends with it.
type connection struct {
	conn   *client.Conn
	record *recording
	end    func() // ends what the target needs
}

// prepared is a connection before it begins.
type prepared struct {
	opts   client.Options
	screen ui.Options
	record *recording
	beside bool // the recording is in a new file of its own
	end    func()
}

// prepare does all that can fail without reaching a server. What it says on the
// way becomes a note on the screen where there is one.
func (c *connections) prepare(a *app, t target) (p prepared, err error) {
	p.opts, p.end, err = a.clientOptions(c.cmd, t)
	if err != nil {
		return p, err
	}
	defer func() {
		if err != nil {
			p.end()
		}
	}()
	keys, err := a.stateKeys()
	if err != nil {
		return p, err
	}
	other, err := headers("other-header", a.flags.otherHeaders)
	if err != nil {
		return p, err
	}
	p.opts.AskRoots, p.opts.Grace = true, tuiGrace
	p.opts.Crashed = func(cause any, stack []byte) {
		select {
		case c.crashed <- faultOf(cause, stack):
		default: // the first one is told
		}
	}
	p.screen = a.furnish(p.opts, ui.Options{
		Server: targetName(p.opts), Env: a.Env, Roots: p.opts.Roots, Keys: keys, Timeout: p.opts.Timeout,
		Words: a.words(t), Principal: other, Open: openURL, Save: saveBody, Editor: a.externalEditor, Suspends: suspends(),
	})
	open := a.openRecording
	if p.beside = c.records > 0; p.beside {
		open = a.nextRecording
	}
	p.record, err = open(p.opts.Target.Env)
	return p, err
}

// begin dials what was prepared.
func (c *connections) begin(p prepared) (ui.Options, error) {
	p.opts.Log = trace.NewLog(time.Now, trace.Memory(int64(c.app.flags.memory)))
	conn, err := client.Dial(context.WithoutCancel(c.cmd.Context()), p.opts)
	if err != nil {
		return p.screen, errors.Join(usage(err), p.drop())
	}
	p.record.follow(conn.Log())
	if p.record != nil {
		c.records++
		p.screen.Unrecorded = p.record.broken
	}
	c.now = &connection{conn: conn, record: p.record, end: p.end}
	p.screen.Log, p.screen.Control, p.screen.Start = conn.Log(), conn, conn.Log().Start()
	p.screen.Record = c.app.saver(conn.Log(), conn.Log().Start(), p.opts.Target.Env)
	return p.screen, nil
}

// drop gives up what was prepared.
func (p *prepared) drop() error {
	p.end()
	if p.record == nil {
		return nil
	}
	err := p.record.file.Close()
	if p.beside {
		err = errors.Join(err, os.Remove(p.record.file.Name()))
	}
	return err
}

// open begins the first connection.
func (c *connections) open(p prepared) (ui.Options, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.begin(p)
}

var errEnding = errors.New("the program ends")

// Switch ends the connection that is there and begins the chosen one.
func (c *connections) Switch(ctx context.Context, id string) (ui.Options, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	to, ok := c.choices[id]
	switch {
	case c.over:
		return ui.Options{}, errEnding
	case !ok:
		return ui.Options{}, errors.New("this server is not in the list any more; open the list again")
	}
	mine := c.named == id || c.named == "" && to.own
	var said bytes.Buffer
	a := c.app.forServer(to, mine)
	a.Err = &said // nothing may be written below the screen
	p, err := c.prepare(a, to.target)
	if err != nil {
		return ui.Options{}, err
	}
	notes := strings.FieldsFunc(said.String(), func(r rune) bool { return r == '\n' })
	if err := c.endNow(); err != nil {
		notes = append(notes, err.Error())
	}
	if c.over || ctx.Err() != nil || c.cmd.Context().Err() != nil {
		return ui.Options{}, errors.Join(errEnding, p.drop())
	}
	if c.records > 0 && p.record != nil {
		notes = append(notes, "recorded to "+p.record.file.Name())
	}
	screen, err := c.begin(p)
	if err != nil {
		return screen, err
	}
	if mine {
		c.named = id
	}
	screen.Note = strings.Join(notes, "; ")
	screen.Switching = c.switching(id)
	return screen, nil
}

// switching is what the UI needs to leave the server with this ID.
func (c *connections) switching(here string) *ui.Switching {
	return &ui.Switching{Servers: c.servers, Switch: c.Switch, Here: here}
}

// endNow ends the connection that is there, in order.
func (c *connections) endNow() error {
	if c.now == nil {
		return nil
	}
	now := c.now
	c.now = nil
	err := errors.Join(c.app.closeConn(now.conn), now.record.close(), now.conn.Log().Free())
	now.end()
	c.failed = errors.Join(c.failed, err)
	return err
}

// close ends the last connection, and lets none begin after it. It says what
// went wrong at the end of any.
func (c *connections) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	_ = c.endNow() // it is in what failed
	return c.failed
}

// forServer is the program as if it had been started for a choice. Flags about
// one server, tokens among them, are for the server that the command line named
// and go to no other; those about the person and the protocol stay.
func (a *app) forServer(to choice, named bool) *app {
	b := *a
	f := &b.flags
	f.config, f.server = to.target.config, to.server
	if to.profile != "" {
		f.profile = to.profile
	} else {
		f.profile = "demo" // as where nothing is said
	}
	if !named {
		f.headers, f.otherHeaders, f.env, f.cwd, f.insecure = nil, nil, nil, "", false
	}
	return &b
}

// nextRecording opens a file beside that of --record for a connection that
// was switched to. A file that is there is left alone.
func (a *app) nextRecording(env []string) (*recording, error) {
	if a.flags.record == "" {
		return nil, nil
	}
	ext := filepath.Ext(a.flags.record)
	for n := 2; ; n++ {
		name := fmt.Sprintf("%s.%d%s", strings.TrimSuffix(a.flags.record, ext), n, ext)
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, usage(fmt.Errorf("--record: %w", err))
		}
		return newRecording(f, a.mask(env)), nil
	}
}
