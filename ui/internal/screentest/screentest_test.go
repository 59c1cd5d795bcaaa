package screentest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"mcptui/ui/draw"
	"mcptui/ui/text"
)

// known is a goroutine of the library's: a key that is read when the program has ended
// already is offered to nobody, for ever.
var known = goleak.IgnoreAnyFunction("github.com/charmbracelet/ultraviolet.(*TerminalReader).sendEvents")

func TestMain(m *testing.M) { goleak.VerifyTestMain(patient{m}, known) }

// patient is the tests for goleak, which gives goroutines on their way out less than
// half a second: these wait for them first.
type patient struct{ *testing.M }

func (p patient) Run() int {
	code := p.M.Run()
	for end := time.Now().Add(Patience); code == 0 && goleak.Find(known) != nil && time.Now().Before(end); {
	}
	return code
}

// echo shows the last message that it got.
type echo struct {
	w, h  int
	width text.Width
	seen  []string
}

func (m *echo) Init() tea.Cmd { return nil }

func (m *echo) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.width = draw.WidthFor(m.width, msg)
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case tea.KeyPressMsg:
		m.seen = append(m.seen, "key:"+msg.String())
		if msg.String() == "ctrl+c" {
			return m, tea.Quit
		}
	case tea.MouseClickMsg:
		m.seen = append(m.seen, fmt.Sprintf("click:%d,%d", msg.X, msg.Y))
	case tea.MouseWheelMsg:
		m.seen = append(m.seen, fmt.Sprintf("wheel:%v", msg.Button))
	case tea.PasteMsg:
		m.seen = append(m.seen, "paste:"+text.CleanLine(msg.Content))
	case string:
		m.seen = append(m.seen, "msg:"+msg)
	}
	return m, nil
}

func (m *echo) View() tea.View {
	s := draw.NewScreen(m.w, m.h, nil, m.width)
	p := draw.Pane{Title: fmt.Sprintf("%d×%d", m.w, m.h), Focus: true}
	if m.width == text.Grapheme {
		p.Title += " wide graphemes"
	}
	s.Wrapped(p.Inner(s.Bounds()), s.Theme.Bad, strings.Join(m.seen, " "))
	p.Draw(s, s.Bounds())
	return s.View()
}

func TestDrivesAProgram(t *testing.T) {
	s := Start(t, &echo{}, 50, 10)
	s.WaitFor("50×10")
	s.Type("é", Esc, Enter, Tab, ShiftTab, Up, End, Alt("d"), CtrlS, F1)
	s.WaitFor("key:é key:esc key:enter key:tab", "key:shift+tab", "key:up key:end key:alt+d key:ctrl+s key:f1")
	s.Resize(40, 12)
	s.WaitFor("40×12")
	s.WaitForGone("50×10")
	s.Click(7, 3)
	s.WaitFor("click:7,3")
	s.ClickOn("×12")
	s.WaitFor("click:4,0")
	s.Wheel(3, 3, -1)
	s.WaitFor("wheel:wheelup")
	s.Paste("a\nb")
	s.WaitFor("paste:a␊b")
	s.Send("hello")
	s.WaitFor("msg:hello")
	s.Golden("screen")
	svg := s.SVG()
	require.Contains(t, svg, "#f7768e", "the theme's red is the palette's")
	require.Contains(t, svg, ">key:é")
	require.Contains(t, svg, "<path")
	s.Type(CtrlC)
	s.WaitEnd()
}

// failed takes the failure of a check that is meant to fail.
type failed struct {
	testing.TB
	why string
}

func (f *failed) Helper()                     {}
func (f *failed) Fatalf(why string, _ ...any) { f.why = why; panic("fatal") }

func TestAnAmbiguousClickFails(t *testing.T) {
	s := Start(t, &echo{seen: []string{"two words", "漢 a few words"}}, 40, 8)
	s.WaitFor("few words")
	f := &failed{}
	s.t = f
	require.PanicsWithValue(t, "fatal", func() { s.ClickOn("words") })
	s.t = t
	require.Contains(t, f.why, "more than once")
	s.ClickOn("a few")
	s.WaitFor("click:14,1")
}

// TestAResizeComesAfterTheKeys types before a window gets another size.
func TestAResizeComesAfterTheKeys(t *testing.T) {
	s := Start(t, &echo{}, 50, 10)
	for _, width := range []int{41, 42, 43} {
		s.Type("x")
		s.Resize(width, 10)
	}
	s.WaitFor("43×10")
	require.Contains(t, s.Text(), "key:x key:x key:x")
}

// Once the terminal reports that it clusters graphemes, program and terminal
// count alike, whatever the text.
func TestGraphemesOfDoubtfulWidthKeepTheBorder(t *testing.T) {
	for name, str := range map[string]string{"family": "👩‍👩‍👧‍👦", "Devanagari": "नमस्ते", "selector": "❤️", "right to left": "مرحبا", "wide": strings.Repeat("日本語", 30)} {
		t.Run(name, func(t *testing.T) {
			s := Start(t, &echo{seen: []string{str, str}}, 40, 8)
			s.WaitFor("40×8", "┛")
			for _, l := range strings.Split(s.Text(), "\n")[1:7] { // it may be shifted, never lost
				require.True(t, strings.HasSuffix(l, "┃"), s.Text())
			}
			s.Send(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset})
			s.WaitFor("┏ 40×8 wide graphemes")
			for y := 1; y < 7; y++ {
				require.Equal(t, "┃", s.Cell(0, y), s.Text())
				require.Equal(t, "┃", s.Cell(39, y), s.Text())
			}
		})
	}
}
