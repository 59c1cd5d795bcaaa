package ask

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/ui/keys"
)

const halfASecond = 500 * time.Millisecond

// watched is a question with one field on a clock.
func watched(now *time.Duration, field string) *Panel {
	p := New(elicit(`{"requestedSchema":{"type":"object","properties":{"s":`+field+`}}}`), withForms())
	p.Watch(func() time.Duration { return *now }, halfASecond)
	return p
}

// TestTheGuardEndsWithAPause holds a key down for longer than the guard lasts:
// nothing is sent until it was let go.
func TestTheGuardEndsWithAPause(t *testing.T) {
	var now time.Duration
	p := New(elicit(`{"requestedSchema":{"type":"object","properties":{"s":{"type":"string"}}}}`), with())
	require.Equal(t, Send, p.Do(keys.Send), "without a clock nothing is guarded")
	p.Watch(func() time.Duration { return now }, halfASecond)
	require.Equal(t, Send, p.Do(keys.Send))
	require.Empty(t, p.Swallowed())

	p.Opened()
	require.True(t, p.Seen())
	for range 40 {
		now += 30 * time.Millisecond
		require.Equal(t, None, p.Do(keys.Send))
		require.NotZero(t, p.Settling())
		require.Equal(t, "just opened: press again what was not taken: Ctrl+S", p.Swallowed())
		require.False(t, p.Lost())
	}
	require.Equal(t, Later, p.Do(keys.Later), "what loses nothing is always taken")
	now += halfASecond - time.Millisecond
	require.NotZero(t, p.Settling())
	now += time.Millisecond
	require.Zero(t, p.Settling())
	require.Equal(t, Send, p.Do(keys.Send))
	require.False(t, p.Changed())
	require.Empty(t, p.Swallowed())

	p.Fail(errors.New("no"))
	require.Equal(t, None, p.Do(keys.Decline))
	require.Equal(t, "just shown: press again what was not taken: Alt+D", p.Swallowed())
	require.Equal(t, "no", p.Problem(), "it is still there to be read")
}

// TestWhoTypesOnIsTyping types without any pause from before a question came:
// only the first half second is lost, and is told. What sends waits for a pause.
func TestWhoTypesOnIsTyping(t *testing.T) {
	var now time.Duration
	p := watched(&now, `{"type":"string"}`)
	p.Opened()
	for i := range 40 {
		now += 100 * time.Millisecond
		require.Equal(t, None, p.Key(keyPress(string(rune('a'+i%26)))))
		require.Contains(t, p.Swallowed(), `not taken: "`+"abcd"[:min(i+1, 4)]+`"`)
		require.True(t, p.Lost())
	}
	typed := `{"s":"efghijklmnopqrstuvwxyzabcdefghijklmn"}`
	sent, _, _ := p.Edit.Value()
	require.JSONEq(t, typed, string(sent))

	now += 100 * time.Millisecond
	require.Equal(t, None, p.Do(keys.Send))
	require.Equal(t, `just opened: press again what was not taken: "abcd", Ctrl+S`, p.Swallowed())
	now += 100 * time.Millisecond
	p.Paste("pasted")
	now += 100 * time.Millisecond
	require.Equal(t, None, p.Key(keyPress("enter")), "enter may press something")
	require.Contains(t, p.Swallowed(), "Ctrl+S, Enter")
	now += halfASecond
	require.Equal(t, Send, p.Do(keys.Send))
	sent, _, _ = p.Edit.Value()
	require.JSONEq(t, typed[:len(typed)-2]+`pasted"}`, string(sent))
}

// TestAPasteAtOnceIsToldAsLost pastes into what has just opened.
func TestAPasteAtOnceIsToldAsLost(t *testing.T) {
	var now time.Duration
	p := watched(&now, `{"type":"string"}`)
	p.Opened()
	p.Paste("too early")
	require.Equal(t, "just opened: press again what was not taken: what was pasted", p.Swallowed())
	require.True(t, p.Lost())
	require.False(t, p.Changed())
}

// TestNoChoiceIsMadeByAKeyThatRepeats holds keys down that choose: they need a
// pause, however long ago the question came.
func TestNoChoiceIsMadeByAKeyThatRepeats(t *testing.T) {
	for _, field := range []string{`{"type":"boolean"}`, `{"type":"string","enum":["x","y"]}`} {
		for _, key := range []string{"x", "y", "enter"} {
			var now time.Duration
			p := watched(&now, field)
			p.Opened()
			for range 40 {
				now += 30 * time.Millisecond
				p.Key(keyPress(key))
				p.Paste(key)
			}
			require.False(t, p.Changed(), "%s %s", field, key)
			require.False(t, p.Edit.(interface{ Busy() bool }).Busy(), "%s %s", field, key)
		}
	}
}

// TestTypingIsTakenBesideAReason goes on typing while it is said why nothing was
// sent: only what sends is kept.
func TestTypingIsTakenBesideAReason(t *testing.T) {
	var now time.Duration
	p := watched(&now, `{"type":"integer"}`)
	p.Key(keyPress("x"))
	_, ok := p.Value()
	require.False(t, ok)
	require.Equal(t, None, p.Do(keys.Send))
	require.NotEmpty(t, p.Swallowed())
	p.Key(keyPress("y"))
	p.Paste("z")
	raw, _, err := p.Edit.Value()
	require.Equal(t, `"xyz"`, string(raw[len(`{"s":`):len(raw)-1]), "%s %v", raw, err)
	require.Equal(t, None, p.Do(keys.Send))
	now += halfASecond
	require.Equal(t, Send, p.Do(keys.Send))
}
