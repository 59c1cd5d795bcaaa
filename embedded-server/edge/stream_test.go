package edge

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func take(t *testing.T, st *stream) event {
	t.Helper()
	ev, ok := st.next(nil)
	require.True(t, ok)
	return ev
}

func TestStreamsKeepWhatIsUnread(t *testing.T) {
	st := newStream("1")
	require.True(t, st.attach(-1))
	require.False(t, st.attach(-1), "one reader at a time")
	for i := range keptEvents + 10 {
		st.send(fmt.Append(nil, i))
	}
	require.Equal(t, "0", string(take(t, st).frame), "nothing is lost while somebody reads")
	st.send([]byte("one more"))
	require.Len(t, st.events, keptEvents+10, "what was read can go")
	st.detach()
	st.send([]byte("unread"))
	require.Len(t, st.events, keptEvents, "without a reader the oldest go")
}

func TestStreamsForgetLargeEvents(t *testing.T) {
	st := newStream("1")
	require.True(t, st.attach(-1))
	large := bytes.Repeat([]byte("x"), keptBytes)
	st.send(large)
	st.send(large)
	require.Len(t, st.events, 2, "they were not read yet")
	take(t, st)
	take(t, st)
	st.finish(&message{}, large)
	require.True(t, take(t, st).last)
	require.LessOrEqual(t, st.size, keptBytes)
	_, ok := st.next(nil)
	require.False(t, ok)
}

func TestStreamsResume(t *testing.T) {
	st := newStream("1")
	require.True(t, st.attach(-1))
	st.send([]byte("a"))
	st.interrupt(time.Second)
	require.Equal(t, "a", string(take(t, st).frame))
	ev := take(t, st)
	require.True(t, ev.interrupt)
	st.unread(ev)
	require.True(t, take(t, st).interrupt)
	st.detach()
	st.finish(&message{}, []byte("b"))
	require.True(t, st.attach(0))
	require.Equal(t, "a", string(take(t, st).frame), "from the beginning")
	require.Equal(t, "b", string(take(t, st).frame), "past the interruption")
	st.detach()
	require.True(t, st.attach(1))
	require.Equal(t, "b", string(take(t, st).frame))
	gone := make(chan struct{})
	close(gone)
	_, ok := newStream("2").next(gone)
	require.False(t, ok)
}

func TestSessionsAreBounded(t *testing.T) {
	e := bareEdge(t, Options{})
	require.Equal(t, http.StatusOK, postTo(e, handshake, nil).Code)
	for i := range maxSessions {
		e.sessions.byID[itoa(i)] = nil
	}
	rec := postTo(e, handshake, nil)
	require.Equal(t, http.StatusServiceUnavailable, rec.Code)
	require.Contains(t, rec.Body.String(), "too many sessions")
	for i := range maxSessions {
		delete(e.sessions.byID, itoa(i))
	}
}

func TestQualityOfAccept(t *testing.T) {
	for value, want := range map[string]bool{
		"text/event-stream": true, "TEXT/Event-Stream": true, "text/*": true, "*/*;q=0.1": true, "application/json, text/event-stream; q=0.5": true,
		"application/json": false, "text/event-stream;q=0": false, "text/event-stream;q=x": false, "text/plain, image/*": false, "": false,
	} {
		require.Equal(t, want, accepts(http.Header{"Accept": {value}}, "text/event-stream"), value)
	}
	require.True(t, accepts(http.Header{}, "text/event-stream"))
}
