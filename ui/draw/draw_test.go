package draw

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/stretchr/testify/require"

	"mcptui/ui/text"
)

func rect(x, y, w, h int) Rect { return uv.Rect(x, y, w, h) }

func TestCuts(t *testing.T) {
	a := rect(2, 3, 10, 8)
	top, rest := CutTop(a, 3)
	require.Equal(t, rect(2, 3, 10, 3), top)
	require.Equal(t, rect(2, 6, 10, 5), rest)
	_, rest = CutTop(a, -2)
	require.Equal(t, 2, rest.Dy())
	rest, bottom := CutBottom(a, 2)
	require.Equal(t, rect(2, 9, 10, 2), bottom)
	require.Equal(t, 6, rest.Dy())
	left, rest := CutLeft(a, 4)
	require.Equal(t, 4, left.Dx())
	require.Equal(t, 6, rest.Dx())
	_, right := CutRight(a, 99)
	require.Equal(t, a, right)
	require.True(t, Inset(rect(0, 0, 2, 2), 1, 1).Empty())
	require.True(t, Row(a, 8).Empty())
	require.Equal(t, rect(4, 1, 2, 2), Center(rect(0, 0, 10, 4), 2, 2))
}

func TestLineIsCutWhereItDoesNotFit(t *testing.T) {
	for _, c := range []struct {
		width int
		line  Line
		want  string
	}{
		{5, L(Style{}, "hello"), "hello"},
		{5, L(Style{}, "hello!"), "hell…"},
		{5, L(Style{}, "hel").With(Style{}, "lo"), "hello"},
		{5, L(Style{}, "hel").With(Style{}, "lo").With(Style{}, "!"), "hell…"},
		{5, L(Style{}, "日本語"), "日本…"},
		{4, L(Style{}, "日本語"), "日…"},
		{4, L(Style{}, "a\x1b[b"), "a\ufffd[b"},
		{4, L(Style{}, "a\u009bb"), "a\ufffdb"},
	} {
		s := NewScreen(20, 1, nil, text.Wc)
		s.Line(rect(0, 0, c.width, 1), c.line)
		require.Equal(t, c.want, s.Plain())
	}
}

// Graphemes on whose width terminals disagree must not move a border.
func TestBordersHold(t *testing.T) {
	for _, width := range []text.Width{text.Wc, text.Grapheme} {
		for _, str := range []string{"👩‍👩‍👧‍👦", "नमस्ते", "❤️", "مرحبا", strings.Repeat("日本語", 40), "\x1b[2J", "a\u0301\u0301\u0301"} {
			s := NewScreen(40, 6, nil, width)
			left, right := CutLeft(s.Bounds(), 20)
			for i, area := range []Rect{left, right} {
				p := Pane{Title: "T " + str, Right: str, Foot: str, Focus: i == 0, Above: i * 3, Below: 4}
				in := p.Inner(area)
				for y := range in.Dy() {
					s.Text(Row(in, y), Style{}, "ab "+str+" cd")
				}
				p.Draw(s, area)
			}
			for y := 1; y < 5; y++ {
				for _, x := range []int{0, 19, 20, 39} {
					require.Contains(t, "│┃", s.buf.CellAt(x, y).Content, "%q at %d,%d\n%s", str, x, y, s.Plain())
				}
			}
			require.Contains(t, s.Plain(), "▼ 4 more below")
			require.Contains(t, s.Plain(), "▲ 3 more above")
		}
	}
}

func TestListRendersOnlyWhatIsSeen(t *testing.T) {
	var l List
	rendered := 0
	src := Source{Len: 100_000, Key: func(i int) any { return i }, Row: func(i, w int) Line {
		rendered++
		return L(Style{}, fmt.Sprintf("row %d", i))
	}}
	frame := func() string {
		s := NewScreen(30, 10, nil, text.Wc)
		l.Draw(s, s.Bounds(), src, true)
		return s.Plain()
	}
	require.Contains(t, frame(), "> row 0\n  row 1\n")
	require.Equal(t, 10, rendered)
	frame()
	require.Equal(t, 10, rendered, "a second frame renders nothing again")
	l.Move(5)
	require.Contains(t, frame(), "> row 5")
	require.Equal(t, 10, rendered)
	l.Page(1)
	require.Contains(t, frame(), "> row 14")
	require.Equal(t, 5, l.Above())
	l.Follow = true
	require.Contains(t, frame(), "> row 99999")
	src.Len++
	require.Contains(t, frame(), "> row 100000")
	l.Move(-1)
	src.Len++
	require.Contains(t, frame(), "> row 99999")
	l.Wheel(-3)
	require.True(t, l.Click(3, 0))
	require.False(t, l.Click(3, 10))
	frame()
	require.Equal(t, l.Top, l.Cursor)
	src.Len = 0
	require.Equal(t, "", frame())
	require.Zero(t, l.Below())
}

func TestSelectionIsSeenWithoutColour(t *testing.T) {
	theme := NewTheme([]string{"NO_COLOR=1"})
	for _, st := range []Style{theme.Bad, theme.Good, theme.Number, theme.Focus, theme.Selected} {
		require.Nil(t, st.Fg)
	}
	require.NotZero(t, theme.Selected.Attrs&uv.AttrReverse)
	require.NotNil(t, NewTheme(nil).Bad.Fg)
}

func TestButtons(t *testing.T) {
	bs := []Button{{ID: "send", Label: "Send", Key: "ctrl+s", Hot: true}, {ID: "no", Label: "Decline", Key: "alt+d"}, {ID: "later", Label: "Later", Key: "esc", Off: true}}
	var z Zones
	s := NewScreen(80, 3, nil, text.Wc)
	require.Equal(t, 1, s.Buttons(s.Bounds(), &z, bs))
	require.Equal(t, "[>Send ctrl+s<] [ Decline alt+d ] [ Later esc ]", s.Plain())
	require.Equal(t, "send", z.Hit(4, 0))
	require.Equal(t, "no", z.Hit(20, 0))
	require.Nil(t, z.Hit(15, 0))
	require.Nil(t, z.Hit(40, 0), "an act that is off cannot be clicked")

	z.Reset()
	s = NewScreen(24, 3, nil, text.Wc)
	require.Equal(t, 2, s.Buttons(s.Bounds(), &z, bs))
	require.Equal(t, "[>Send<] [ Decline ]\n[ Later ]", s.Plain())
	require.Equal(t, "no", z.Hit(10, 0))
}

func TestJSON(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"order, numbers and spaces", `{"b":1.50,"a":[],"c":{"x":null,"big":9007199254740993,"e":1e999}}`, "{\n  \"b\": 1.50,\n  \"a\": [],\n  \"c\": {\n    \"x\": null,\n    \"big\": 9007199254740993,\n    \"e\": 1e999\n  }\n}"},
		{"a bare value", ` "s" `, `"s"`},
		{"controls in a string are seen", "{\"a\":\"\x1b[2J\u202e\"}", "{\n  \"a\": \"␛[2J\\u202e\"\n}"},
		{"cut short", `{"a":[1,`, "{\n  \"a\": [\n    1,"},
		{"not JSON at all", "<html>\n<b>", "<html>\n<b>"},
		{"garbage after", `{"a":1} oops`, "{\n  \"a\": 1\n}oops"},
		{"wrong bracket", `{"a":1]`, "{\n  \"a\": 1]"},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines, more := JSON([]byte(c.in), NewTheme(nil), 0)
			require.False(t, more)
			require.Equal(t, c.want, plain(lines))
		})
	}
	lines, more := JSON([]byte("["+strings.Repeat("1,", 100_000)+"1]"), NewTheme(nil), 50)
	require.Len(t, lines, 50)
	require.True(t, more)
	lines, _ = JSON([]byte(`"`+strings.Repeat("x", 1<<20)+`"`), NewTheme(nil), 0)
	require.Contains(t, plain(lines), "… (1.0 MB)")
	_, more = JSON(bytes.Repeat([]byte("["), 1<<20), NewTheme(nil), 10)
	require.True(t, more)
	theme := NewTheme(nil)
	lines, _ = JSON([]byte(`{"n":"v"}`), theme, 0)
	require.Equal(t, theme.Name, lines[1][1].Style)
	require.Equal(t, theme.String, lines[1][3].Style)
}

func plain(lines []Line) string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.Plain()
	}
	return strings.Join(out, "\n")
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,2,{"b":"c"}],"d":null}`, `[[[]]]`, `{"a" "b"}`, `"\"`, "\x1b"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		lines, _ := JSON(raw, NewTheme(nil), 0)
		for _, l := range lines {
			require.NotRegexp(t, "[\x00-\x1f\x7f\u0080-\u009f]", l.Plain())
		}
		if json.Valid(raw) && len(raw) < longString {
			var want, got bytes.Buffer
			require.NoError(t, json.Compact(&want, raw))
			if strings.Contains(want.String(), "\\") || text.CleanLine(want.String()) != want.String() {
				return
			}
			require.NoError(t, json.Compact(&got, []byte(plain(lines))))
			require.Equal(t, want.String(), got.String())
		}
	})
}

func BenchmarkFrame(b *testing.B) {
	var l List
	src := Source{Len: 100_000, Key: func(i int) any { return i }, Row: func(i, w int) Line { return L(Style{}, strings.Repeat("row ", 30)) }}
	for b.Loop() {
		s := NewScreen(120, 36, nil, text.Wc)
		p := Pane{Title: "List", Focus: true}
		l.Draw(s, p.Inner(s.Bounds()), src, true)
		p.Draw(s, s.Bounds())
		_ = s.View()
	}
}

func TestRenewLeavesNothingOfTheLastFrame(t *testing.T) {
	s := NewScreen(40, 10, nil, text.Wc)
	s.Text(s.Bounds(), s.Theme.Bold, "the last frame")
	s.Cursor(1, 1)
	again := s.Renew(40, 10, s.Theme, text.Grapheme)
	require.Same(t, s, again)
	require.Equal(t, NewScreen(40, 10, s.Theme, text.Grapheme).View().Content, again.View().Content)
	require.Nil(t, again.View().Cursor)
	again.Text(again.Bounds(), again.Theme.Bold, "e\u0301 漢")
	fresh := NewScreen(40, 10, s.Theme, text.Grapheme)
	fresh.Text(fresh.Bounds(), fresh.Theme.Bold, "e\u0301 漢")
	require.Equal(t, fresh.View().Content, again.View().Content)
	require.Equal(t, 20, s.Renew(20, 10, s.Theme, text.Wc).Bounds().Dx())
	require.NotNil(t, (*Screen)(nil).Renew(20, 10, nil, text.Wc).Theme)
}
