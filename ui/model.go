package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcptui/client/lint"
	"mcptui/client/session"
	"mcptui/client/trace"
	"mcptui/ui/ask"
	"mcptui/ui/calls"
	"mcptui/ui/catalogue"
	"mcptui/ui/draw"
	"mcptui/ui/findings"
	"mcptui/ui/inspect"
	"mcptui/ui/ladder"
	"mcptui/ui/text"
	"mcptui/ui/wire"
)

// place is where the person is.
type place int

const (
	atHome place = iota
	atCall
	atArgs // filling in what a tool wants
	atAsk  // an ask that belongs to no call
)

// tab is a tab of the home.
type tab int

const (
	tabCalls tab = iota
	tabCatalogue
	tabWire
	tabFindings
	tabServer
	tabs
)

// pane is a pane of the call's screen; the home's two are paneList and paneDetail.
type pane int

const (
	paneList pane = iota // the list, or the ladder
	paneNow              // the ask, the result, or what is waited for
	paneDetail
)

// Model is the UI.
type Model struct {
	opts    Options
	ctx     context.Context
	stop    context.CancelFunc
	sess    *session.Session
	ended   bool // the log will not grow any more
	settled int  // the event by which the last connection became ready, or failed
	theme   *draw.Theme
	width   text.Width
	size    draw.Rect
	bodies  bodies
	acts    acts

	place place
	tab   tab
	focus pane
	zoom  bool

	calls     calls.View
	catalogue catalogue.View
	wire      *wire.View
	wireDoc   inspect.Doc
	wireRaw   bool
	serverDoc inspect.Doc

	call      int // the call on its screen
	ladder    ladder.View
	detail    detailTab
	chosen    bool // the person chose that tab
	detailDoc inspect.Doc
	nowDoc    inspect.Doc
	states    inspect.States

	panels map[trace.AskID]*ask.Panel
	shown  trace.AskID // the ask in its call's screen
	picked trace.AskID // an answer that is not sent yet, opened to be changed
	inView insight     // the ask that the person sees
	taken  string      // what is said of an ask that was taken away while it had the keyboard, until that was seen
	args   map[string]*argsForm
	arg    string // key of the form at atArgs

	drafts   map[int]*heldDraft // retries that stand, and branches, by call
	drafting map[int]bool       // those that are asked for
	damaged  []damage
	recalled int // of the session's tampers, those that are in damaged
	filling
	entry     *lineEntry
	overlay   overlay
	switching *switching // to another server; nothing else is done meanwhile
	saved     int        // events of the log when it was saved whole last
	parted    string     // where it was saved to be left
	note      note
	zones     draw.Zones
	quitting  bool         // once more quits, in a window that is too small to ask
	screen    *draw.Screen // of the last frame
	frame     frame

	again     map[int]bool // calls whose effects may happen again
	composed  *requestForm // any request, as far as it is typed
	compared  comparing
	listings  listings
	reentered reentered
	lint      *lint.Linter
	unrecorded
	found    map[lint.Severity]int // how many findings of each there are
	findings findings.View
}

// note is a line for the person in the footer, until the next key.
type note struct {
	text string
	bad  bool
	file string // the file that it is about, behind the text; shortened in the middle where it does not fit
	anew bool   // a connection is made anew: it goes once that is done
}

// New returns the UI on a log.
func New(opts Options) *Model {
	if opts.Log == nil {
		opts.Log = nothing{}
	}
	if opts.Start.IsZero() {
		opts.Start = time.Now().Add(-opts.Log.Now())
	}
	ctx, stop := context.WithCancel(context.Background())
	m := &Model{
		opts: opts, ctx: ctx, stop: stop, sess: session.New(), theme: draw.NewTheme(opts.Env),
		tab: tabCatalogue, wire: wire.New(), panels: map[trace.AskID]*ask.Panel{}, args: map[string]*argsForm{}, drafts: map[int]*heldDraft{}, drafting: map[int]bool{},
		states: inspect.States{Keys: opts.Keys}, lint: lint.New(), found: map[lint.Severity]int{},
	}
	// What is there already is on the first frame.
	for _, e := range there(opts.Log) {
		m.fold(e)
	}
	m.recall()
	m.count(m.unreadable()...)
	m.note.text = opts.Note
	if opts.Damage != nil {
		m.fail(opts.Damage)
	}
	if n := len(m.sess.Calls); n > 0 {
		m.compared.known = m.sess.Calls[n-1].ID
		m.tab = tabCalls
	}
	return m
}

// Init begins to read the log, or to list the servers where none is connected.
func (m *Model) Init() tea.Cmd {
	if m.unconnected() {
		return m.own(tea.Batch(m.switchServer(), tick()))
	}
	return m.own(tea.Batch(feed(m.ctx, m.opts.Log, m.sess.Rows.Len(), 0), m.watchRecording(), tick()))
}

// now is the session's time.
func (m *Model) now() time.Duration { return m.opts.Log.Now() }

// wall is the time of day at the session's time.
func (m *Model) wall() time.Time { return m.opts.Start.Add(m.now()) }

// Update takes one message in. It does no IO: that is the work of commands.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if from, ok := msg.(fromMsg); ok {
		if from.of != m {
			return m, nil
		}
		msg = from.msg
	}
	if done, ok := msg.(switchedMsg); ok {
		return m.switched(done)
	}
	cmd := m.update(msg)
	return m, m.own(tea.Batch(cmd, m.settles(msg), m.wantDraft(), m.fetch(m.needed()...), m.rereads()))
}

func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.size = draw.Rect{}
		m.size.Max.X, m.size.Max.Y = msg.Width, msg.Height
		m.quitting = false
	case tea.ResumeMsg:
		return tea.ClearScreen // whatever the shell left there
	case tea.ModeReportMsg:
		m.width = draw.WidthFor(m.width, msg)
	case feedMsg:
		cmd := m.fed(msg)
		m.branchEnded()
		m.rerunBegan()
		return tea.Batch(cmd, m.rerunEnded(), m.followed())
	case tickMsg:
		if m.ended {
			return nil
		}
		return tick()
	case bodyMsg:
		m.bodies.put(msg)
		m.judge()
	case doneMsg:
		return m.done(msg)
	case tea.KeyPressMsg:
		if m.swallows(msg) {
			return nil
		}
		m.note = note{}
		return m.key(msg)
	case tea.PasteMsg:
		m.paste(msg.Content)
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			m.note, m.taken = note{}, ""
			return m.click(msg.X, msg.Y)
		}
	case tea.MouseWheelMsg:
		m.wheel(msg)
	}
	return nil
}

// noticed puts the UI right after the session went on.
func (m *Model) noticed() {
	m.judge()
	switch a := m.sess.Ask(m.shown); {
	case m.place == atCall:
		m.chooseAsk()
		m.chooseDetail()
		m.forgetDrafts()
	case m.place == atAsk && (a == nil || !answerable(a)):
		if a != nil && m.focus == paneNow && (a.Status == session.Withdrawn || a.Status == session.Moot) {
			m.takenAway(a)
		}
		m.up()
	}
}

// say shows a line in the footer.
func (m *Model) say(text string) { m.note = note{text: text} }

// fail shows what went wrong in the footer.
func (m *Model) fail(err error) { m.note = note{text: err.Error(), bad: true} }

// openCall is the call on its screen, nil where it is not in the session yet.
func (m *Model) openCall() *session.Call { return m.sess.Call(m.call) }
