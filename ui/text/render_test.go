package text

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/require"
)

// rendered shows content in a real program and returns every byte that the
// program wrote to its terminal.
func rendered(t testing.TB, content string) []byte {
	t.Helper()
	var out lockedBuffer
	p := tea.NewProgram(still(content), tea.WithInput(nil), tea.WithOutput(&out),
		tea.WithWindowSize(60, 4), tea.WithoutSignals(), tea.WithColorProfile(colorprofile.TrueColor),
		tea.WithEnvironment([]string{"TERM=xterm-256color"}))
	_, err := p.Run()
	require.NoError(t, err)
	return out.buf.Bytes()
}

type still string

func (m still) Init() tea.Cmd                       { return tea.Quit } // the last frame is drawn all the same
func (m still) Update(tea.Msg) (tea.Model, tea.Cmd) { return m, nil }
func (m still) View() tea.View {
	v := tea.NewView(string(m))
	v.AltScreen = true
	return v
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

// sequences returns the controls in out: each escape sequence whole, and each
// lone control character. Sequences that place the cursor or erase are left
// out, since they follow from where text stands and not from what it says.
func sequences(out []byte) map[string]bool {
	found := map[string]bool{}
	parser := ansi.NewParser()
	var state byte
	for len(out) > 0 {
		seq, width, n, next := ansi.DecodeSequenceWc(out, state, parser)
		if width == 0 && n > 0 {
			r, _ := utf8.DecodeRune(seq)
			switch {
			case r == '\r', r == '\n': // motion too: the attacks' own are gone, or a line below would be hit
			case string(seq) == ansi.SetModeAutoWrap, string(seq) == ansi.ResetModeAutoWrap: // round a wide character
			case ansi.HasCsiPrefix(seq) && strings.IndexByte("ABCDEFGHJKLMPSTXabdfr@", seq[n-1]) >= 0:
			case r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 || seq[0] >= 0x80 && seq[0] < 0xa0:
				found[string(seq)] = true
			}
		}
		state, out = next, out[n:]
	}
	return found
}

func TestNothingEscapesTheRenderer(t *testing.T) {
	harmless := sequences(rendered(t, "LEFT | a plain word b | RIGHT\nbelow"))
	for name, attack := range attacks {
		t.Run(name, func(t *testing.T) {
			out := rendered(t, "LEFT | a"+CleanLine(attack)+"b\n"+strings.ReplaceAll(Clean(attack), "\n", " ")+"\nbelow")
			for seq := range sequences(out) {
				require.True(t, harmless[seq], "%q reached the terminal", seq)
			}
			for _, r := range "\u202e\u2066\u200b\ufeff\u2028\U000e0041" {
				require.NotContains(t, string(out), string(r))
			}
			emu := vt.NewEmulator(60, 4)
			drained := make(chan struct{})
			go func() { defer close(drained); _, _ = io.Copy(io.Discard, emu) }()
			_, err := emu.Write(bytes.ReplaceAll(out[:bytes.LastIndex(out, []byte("\x1b[?1049l"))], []byte("\n"), []byte("\r\n")))
			require.NoError(t, err)
			lines := strings.Split(emu.String(), "\n")
			require.True(t, strings.HasPrefix(lines[0], "LEFT | a"), "a line was overwritten:\n%s", emu.String())
			require.True(t, strings.HasPrefix(lines[2], "below"), "a line was overwritten:\n%s", emu.String())
			require.NoError(t, emu.InputPipe().(io.Closer).Close())
			<-drained
		})
	}
}

func TestRawTextWouldEscape(t *testing.T) { // the test above can fail
	harmless := sequences(rendered(t, "LEFT | a plain word b"))
	for seq := range sequences(rendered(t, "LEFT | a"+attacks["kitty image"]+"b")) {
		if !harmless[seq] {
			return
		}
	}
	t.Fatal("the harness does not see a sequence that passes")
}

func FuzzRender(f *testing.F) {
	for _, s := range attacks {
		f.Add(s)
	}
	harmless := sequences(rendered(f, "a plain word"))
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 400 {
			s = s[:400]
		}
		for seq := range sequences(rendered(t, "a"+Clean(s))) {
			require.True(t, harmless[seq], "%q reached the terminal for %q", seq, s)
		}
	})
}
