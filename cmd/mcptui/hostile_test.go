//go:build linux || darwin

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/parser"
	"github.com/stretchr/testify/require"

	"mcptui/cmd/mcptui/internal/ptytest"
)

// The size of the window in these tests: no movement of the cursor is longer.
const hostileColumns, hostileRows = 120, 36

// obeyed are parts of the hostile texts that a terminal would act on, or a
// reader be misled by. None of them may be in what the program writes.
var obeyed = []string{
	"RED\x1b[0m", "\x1b[31;1;5m", "\x1b[3J", "\x1b[999D", "\x1b[?1000h", "\x1b]0;", "\x1b]8;", "\x1b]52;", "\x1b[6n", "\x1b[c", "\x1b[>c", "\x1b[5n",
	"\x1bP", "\x1b_", "\x1bX", "\x1b^", "\u009b", "\u009d", "\u009c", "\x1bc", "\x1b(0", "rm\b\bls", "/\rsafe", "a\x00b", "ding\x07",
	"user\u202e", "\u2066", "ad\u200bmin", "\U000E0041", strings.Repeat("\u0301", 20), "ls\u2029", "\u0085",
}

// shown are hostile texts as they must look.
var shown = []string{"␛[31;1;5mRED␛[0m", "␛[2J␛[H␛[3J", "␛]52;c;", "␛]0;pwned␇"}

// terminalFaults parses what a program wrote to its terminal and returns what is
// none of the renderer's own means: anything but colours, movements within the
// window, the modes that it sets, plain text and the window's title.
func terminalFaults(raw []byte) []string {
	found := map[string]int{}
	fault := func(format string, args ...any) { found[fmt.Sprintf(format, args...)]++ }
	p := ansi.NewParser()
	p.SetHandler(ansi.Handler{
		Print: func(r rune) {
			switch {
			case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0x200b && r <= 0x200c, r >= 0x200e && r <= 0x200f, r >= 0x2028 && r <= 0x202e,
				r >= 0x2060 && r <= 0x206f, r == 0xfeff, r >= 0xe0000 && r <= 0xe0fff:
				fault("the character %U", r)
			}
		},
		Execute: func(b byte) {
			if b != '\r' && b != '\n' && b != '\b' && b != '\t' { // how the renderer moves, too
				fault("the control %#x", b)
			}
		},
		HandleCsi: func(cmd ansi.Cmd, params ansi.Params) {
			if !ownCSI(cmd, params) {
				fault("CSI %q %q %q with %v", cmd.Prefix(), cmd.Intermediate(), cmd.Final(), params)
			}
		},
		HandleEsc: func(cmd ansi.Cmd) {
			if cmd != 'M' { // a row up
				fault("ESC %q %q", cmd.Intermediate(), cmd.Final())
			}
		},
		HandleDcs: func(_ ansi.Cmd, _ ansi.Params, data []byte) { fault("DCS %q", data) },
		HandleOsc: func(cmd int, data []byte) {
			title, ok := strings.CutPrefix(string(data), "2;mcptui ")
			if string(data) == "2;" { // as it was, at the end
				return
			}
			if cmd != 2 || !ok || len(title) > 1000 || strings.ContainsFunc(title, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }) {
				fault("OSC %d %q", cmd, data)
			}
		},
		HandlePm:  func(data []byte) { fault("PM %q", data) },
		HandleApc: func(data []byte) { fault("APC %q", data) },
		HandleSos: func(data []byte) { fault("SOS %q", data) },
	})
	p.Parse(raw)
	if p.State() != parser.GroundState {
		fault("a sequence without an end")
	}
	for _, s := range obeyed {
		if bytes.Contains(raw, []byte(s)) {
			fault("%q as it is", s)
		}
	}
	var out []string
	for s, n := range found {
		out = append(out, fmt.Sprintf("%s, %d times", s, n))
	}
	slices.Sort(out)
	return out
}

// TestTerminalFaultsAreSeen holds that the judge of these tests sees what it is
// there for, and takes no offence at what a screen is drawn with.
func TestTerminalFaultsAreSeen(t *testing.T) {
	for _, s := range []string{
		"\x1b[31;1;5mRED", "\x1b[8mhidden", "\x1b[3J", "\x1b[999D", "\x1b[?1000h", "\x1b[?47h", "\x1b[6n", "\x1b[c", "\x1b[>c", "\x1b[5n", "\x1b[20t", "\x1b[!p",
		"\x1b]0;pwned\x07", "\x1b]2;pwned\x07", "\x1b]8;;https://evil.example/\x1b\\", "\x1b]52;c;eA==\x07", "\x1b]52;c;eA==\x1b\\", "\u009d52;c;eA==\u009c", "\u009b31m",
		"\x1bP$qm\x1b\\", "\x1b_Gf=24;////\x1b\\", "\x1bXsos\x1b\\", "\x1b^pm\x1b\\", "\x1bc", "\x1b(0", "\x1b[", "\x1b", "a\x00b", "\a", "\x0e", "\x7f",
		"user\u202egnp", "\u2066x\u2069", "ad\u200bmin", "\ufeff", "hi\U000E0041", "ls\u2029ps", "nel\u0085", "rm\b\bls", "rm -rf /\rsafe",
	} {
		require.NotEmpty(t, terminalFaults([]byte(s)), "%q", s)
	}
	require.Empty(t, terminalFaults([]byte("\x1b[?1049h\x1b[?25l\x1b[2J\x1b[H\x1b[1;38;2;5;6;8m漢字 ✓ 👩‍👩‍👧\x1b[m\r\n\x1b[12;40Hx\x1b[K\x1b]2;mcptui demo\a\x1b[>1u\x1b[?2026$p")))
}

// ownCSI reports whether a control sequence is one that Bubble Tea writes.
func ownCSI(cmd ansi.Cmd, params ansi.Params) bool {
	first, _, _ := params.Param(0, 0)
	within := true
	params.ForEach(0, func(_, n int, _ bool) { within = within && n <= max(hostileColumns, hostileRows)+1 })
	switch string([]byte{cmd.Prefix(), cmd.Intermediate(), cmd.Final()}) {
	case "\x00\x00m":
		return ownSGR(params)
	case "\x00\x00A", "\x00\x00B", "\x00\x00C", "\x00\x00D", "\x00\x00E", "\x00\x00F", "\x00\x00G", "\x00\x00H", "\x00\x00d", "\x00\x00`", "\x00\x00a", "\x00\x00e",
		"\x00\x00I", "\x00\x00Z", "\x00\x00K", "\x00\x00L", "\x00\x00M", "\x00\x00P", "\x00\x00@", "\x00\x00X", "\x00\x00b", "\x00\x00S", "\x00\x00T", "\x00\x00r":
		return within
	case "\x00\x00J":
		return first <= 2
	case "?\x00h", "?\x00l":
		return slices.Contains([]int{7, 25, 1002, 1003, 1006, 1049, 2004, 2026, 2027}, first) && len(params) == 1
	case "?$p":
		return first == 2026 || first == 2027
	case "?\x00W": // a tab stop every eight columns
		return first == 5
	case ">\x00u", "<\x00u", "=\x00u", "?\x00u", ">\x00m", "\x00 q": // the keyboard's protocol, the cursor's shape
		return true
	}
	return false
}

// ownSGR reports whether a sequence holds colours and the attributes that the
// screens use: nothing blinks, nothing hides.
func ownSGR(params ansi.Params) bool {
	for i := 0; i < len(params); i++ {
		switch n, _, _ := params.Param(i, 0); n {
		case 38, 48, 58:
			if kind, _, _ := params.Param(i+1, 0); kind == 5 {
				i += 2
			} else {
				i += 4
			}
		case 5, 6, 8, 10, 11, 12:
			return false
		}
	}
	return true
}

// visitor walks through the screens; it waits for each to be drawn, so that no
// frame is left out.
type visitor struct {
	t *testing.T
	*ptytest.Process
	seen strings.Builder // every screen
}

func visit(t *testing.T, args ...string) *visitor {
	p := ptytest.Start(t, ptytest.Options{Columns: hostileColumns, Rows: hostileRows, Args: args, Dir: t.TempDir()})
	return &visitor{t: t, Process: p}
}

// press types keys, one after the other.
func (v *visitor) press(keys ...string) {
	v.t.Helper()
	for _, k := range keys {
		v.Type(k)
		v.settle()
	}
}

// settle waits until the program has drawn what there is to draw: it has read its
// keys, and has been idle and silent for a few frames.
func (v *visitor) settle() {
	v.t.Helper()
	end := time.Now().Add(ptytest.Patience)
	for last, quiet := len(v.Raw()), 0; quiet < 3; {
		require.False(v.t, time.Now().After(end), "it never comes to rest")
		time.Sleep(10 * time.Millisecond)
		if now := len(v.Raw()); now != last || v.Busy() {
			last, quiet = now, 0
		} else {
			quiet++
		}
	}
	v.seen.WriteString(v.Text())
}

func (v *visitor) times(n int, key string) {
	for range n {
		v.press(key)
	}
}

// home goes to the list of calls.
func (v *visitor) home() {
	v.press("\x1b[27u", "\x1b[27u", "\x1b[27u", "1")
	v.WaitFor("[1 Calls]")
}

// catalogue looks at every entry that holds a text, with its details.
func (v *visitor) catalogue(filter string, entries int) {
	v.home()
	v.press("2", "/\x15"+filter)
	for range entries {
		v.press("\x1b[B")
	}
	v.press("\x1b[27u")
}

// call opens the entry of the catalogue that a filter finds first.
func (v *visitor) call(filter string) {
	v.home()
	v.press("2", "/\x15"+filter, "\r")
}

// rooms looks at every tab of a call, as it is and from its bytes.
func (v *visitor) rooms() {
	v.press("\x1b[27u")
	for tab := range 7 {
		v.press(fmt.Sprint(tab+1), "\x1b[6~", "\x1b[6~", " ", "\x1b[6~", " ")
	}
	v.press("+", "\x1b[6~", "\x1b[6~", "_")
}

// rest looks at what belongs to no single call.
func (v *visitor) rest() {
	v.home()
	v.press("3", "g")
	v.times(45, "\x1b[B")
	v.press("/hostile", "\r", "\t", "\x1b[6~", " ", "\x1b[6~", " ", "\t")
	v.press("/\x1b[31m\u202e", "\r", "\x1b[27u") // what a person pastes is text like any other
	v.press("4", "\x1b[6~", "\x1b[6~", "\x1b[6~")
	v.press("5", "\x1b[6~", "\x1b[6~", "\x1b[6~", "\x1b[6~", "G")
	v.press(":hostile", "\x1b[6~", "\x1b[27u", "?", "\x1b[27u")
	v.press("1")
}

// end quits and judges all that was written.
func (v *visitor) end(must ...string) {
	v.t.Helper()
	v.Type("\x03")
	v.settle()
	if strings.Contains(v.Text(), "Sure?") {
		v.Type("\x03") // twice leaves at once
	}
	require.Equal(v.t, exitDone, v.Wait())
	v.RequireRestored()
	require.Empty(v.t, terminalFaults(v.Raw()))
	for _, s := range append(must, shown...) {
		require.Contains(v.t, v.seen.String(), s)
	}
}

// TestHostileTextIsOnlyShown walks through every pane while the built-in server
// puts text made to take over a terminal wherever it has a word in.
func TestHostileTextIsOnlyShown(t *testing.T) {
	t.Parallel()
	for _, era := range []string{"modern", "legacy"} {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			v := visit(t, "--profile", "faults", "--era", era, "--no-state")
			v.WaitFor("hostile_ask")
			v.catalogue("hostile", 6)

			v.call("hostile_text")
			v.WaitFor("field␛[31;1;5mRED")
			v.press("\t", "\t", "\x05", "\x1b[6~", "\x05") // fields, as JSON and back
			v.press("\x13")
			v.WaitFor("✓ done")
			v.rooms()

			v.call("hostile_error")
			v.WaitFor("boom")
			v.rooms()

			v.call("hostile_ask")
			v.WaitFor("[alternate] ␛[?1049h␛[?25l [/alternate]")
			v.press("\t", "\t", "\x1b[B", "\x1b[6~", "\x05", "\x1b[6~")
			v.press("\x1b[27u")
			v.home()
			v.press("!", "\x13")
			v.WaitFor("1 answer")
			v.rooms()

			v.call("hostile␛") // no name holds that: nothing is opened
			v.press("\x1b[27u")
			v.rest()
			v.end("[bidi] user\\u202egnp.exe\\u202c \\u2066\\u2067x\\u2069", "[c1] \\u009b31mC1\\u009b0m", "<+192 marks>")
		})
	}
}

// TestInjectingServerIsOnlyShown does the same with a server of its own, on
// stdio, that writes hostile text to its standard error, too.
func TestInjectingServerIsOnlyShown(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs Node")
	}
	dir := os.Getenv("MCPTUI_MISBEHAVING")
	if dir == "" {
		t.Skip("MCPTUI_MISBEHAVING names no folder of servers that misbehave; testdata/misbehaving/run.sh does")
	}
	server := filepath.Join(dir, "12-terminal-injection.mjs")
	require.FileExists(t, server)
	t.Parallel()
	v := visit(t, "--no-state", "--", node, server)
	v.WaitFor("tool_sgr")
	v.catalogue("", 40)
	for _, tool := range []string{"all", "err", "iserr", "progress_log", "link", "elicit"} {
		v.call(tool)
		v.settle()
		v.press("\x13")
		v.rooms()
	}
	v.rest()
	v.end("stderr ␛[2J")

	p := ptytest.Start(t, ptytest.Options{Columns: hostileColumns, Rows: hostileRows, Args: []string{"call", "all", "--", node, server}})
	require.Equal(t, exitDone, p.Wait())
	require.Empty(t, terminalFaults(p.Raw()))
	require.Contains(t, string(p.Raw()), "stderr ␛[2J")
}

// TestHeadlessOutputOnATerminalIsOnlyShown prints hostile text from the commands
// for scripts, on a terminal.
func TestHeadlessOutputOnATerminalIsOnlyShown(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"tools":     {"tools"},
		"prompts":   {"prompts"},
		"resources": {"resources"},
		"discover":  {"discover"},
		"result":    {"call", "hostile_text"},
		"json":      {"call", "hostile_text", "--json"},
		"rounds":    {"call", "hostile_ask", "--rounds-json", "--on-ask", "decline"},
		"error":     {"call", "hostile_error"},
		"error too": {"call", "hostile_error", "--json"},
		"asked":     {"call", "hostile_ask", "--on-ask", "fail"},
		"resource":  {"read", "faults://hostile"},
		"lint":      {"lint"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := ptytest.Start(t, ptytest.Options{Columns: hostileColumns, Rows: hostileRows, Args: append(args, "--profile", "faults"), Dir: t.TempDir()})
			p.Wait()
			require.Empty(t, terminalFaults(p.Raw()))
			if name != "tools" && name != "discover" && name != "lint" { // these print no hostile text
				require.True(t, strings.Contains(string(p.Raw()), "␛") || strings.Contains(string(p.Raw()), `\u001b`)) // as text, or in JSON
			}
		})
	}
}

// TestPromptsOnATerminalAreOnlyShown asks hostile questions line by line.
func TestPromptsOnATerminalAreOnlyShown(t *testing.T) {
	p := ptytest.Start(t, ptytest.Options{Columns: hostileColumns, Rows: hostileRows, Args: []string{"call", "hostile_ask", "--profile", "faults", "--on-ask", "prompt"}})
	p.WaitFor("␛[?1049h")
	p.Type("\x04")
	p.Wait()
	require.Empty(t, terminalFaults(p.Raw()))
}
