package trace

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func frameEvent(s string) Event { return Event{Frame: &Frame{Dir: In, Bytes: []byte(s)}} }

// plain drops what parsing caches, so that events compare by what they hold.
func plain(events []Event) []Event {
	out := make([]Event, len(events))
	for i, e := range events {
		if f := e.Frame; f != nil {
			e.Frame = &Frame{Dir: f.Dir, Exchange: f.Exchange, Bytes: f.Bytes, Pre: f.Pre, Post: f.Post, Wire: f.Wire, Size: f.Size, Cause: f.Cause}
		}
		out[i] = e
	}
	return out
}

func TestAForgottenMessageIsParsedAgain(t *testing.T) {
	f := &Frame{Bytes: []byte(`{"jsonrpc":"2.0","id":1,"method":"a","params":{}}`)}
	first := f.Message()
	f.Forget()
	require.Nil(t, f.parsed.Load())
	require.Equal(t, first, f.Message())
	require.NotNil(t, f.parsed.Load())
}

func TestNextWaitsAndEnds(t *testing.T) {
	log := NewLog(time.Now)
	got := make(chan []Event)
	go func() {
		events, _ := log.Next(context.Background(), 0)
		got <- events
	}()
	require.Equal(t, 1, log.Append(frameEvent("a")))
	require.Len(t, <-got, 1)
	require.Equal(t, 2, log.Append(frameEvent("b")))
	log.Close()
	events, err := log.Next(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, "b", string(events[0].Frame.Bytes))
	_, err = log.Next(t.Context(), 2)
	require.ErrorIs(t, err, ErrClosed)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = NewLog(time.Now).Next(ctx, 0)
	require.ErrorIs(t, err, context.Canceled)
}

func TestOlderEventsComeBackFromDiskAsTheyWere(t *testing.T) {
	dir := t.TempDir()
	log := NewLog(time.Now, Memory(64<<10), SpillDir(dir))
	var want []Event
	for i := range 5000 {
		e := Event{}
		switch i % 5 {
		case 0:
			e.Frame = &Frame{Dir: Out, Bytes: fmt.Appendf(nil, `{"id":%d,"x":"\xff"}`, i), Post: []byte{}, Cause: Cause{Why: WhyCall, Call: i}}
		case 1:
			e.Frame = &Frame{Dir: In, Exchange: i, Bytes: bytes.Repeat([]byte("b"), i%700), Pre: []byte("data: "), Wire: []byte("w\n\n"), Size: i}
		case 2:
			code := i
			e.Phase = &Phase{Name: PhaseExited, Code: &code}
		case 3:
			e.HTTP = &HTTP{Exchange: i, Stage: HTTPResponse, Headers: []Header{{"X", "\xe4 latin"}}}
		case 4:
			e.Act = &Act{Kind: ActAnswer, Ask: AskID{Frame: 3, Key: "when"}, Value: []byte(`{"a":1}`)}
		}
		seq := log.Append(e)
		stored, ok := log.Event(seq)
		require.True(t, ok)
		want = append(want, stored)
	}
	usage := log.Usage()
	require.NoError(t, usage.Err)
	require.Less(t, usage.Memory, int64(256<<10), "the budget, and a block that still grows")
	require.Positive(t, usage.Disk)
	require.Equal(t, plain(want), plain(log.Since(0)))
	var read []Event
	for len(read) < len(want) {
		some, err := log.Next(t.Context(), len(read))
		require.NoError(t, err)
		read = append(read, some...)
	}
	require.Equal(t, plain(want), plain(read))
	body, err := log.Body(6)
	require.NoError(t, err)
	require.Equal(t, want[5].Frame.Bytes, body)
	body, err = log.Body(4)
	require.NoError(t, err)
	require.Nil(t, body)

	names, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, names, "the file has no name while it is in use")
	require.NoError(t, log.Free())
	e, ok := log.Event(1)
	require.True(t, ok)
	require.Contains(t, e.Act.Note, "could not be read back")
}

func TestABodyAboveTheBudgetGoesToDiskAtOnce(t *testing.T) {
	log := NewLog(time.Now, Memory(1<<20), SpillDir(t.TempDir()))
	big := strings.Repeat("x", 8<<20)
	seq := log.Append(frameEvent(big))
	require.Less(t, log.Usage().Memory, int64(1<<20))
	body, err := log.Body(seq)
	require.NoError(t, err)
	require.Equal(t, big, string(body))
	log.Append(frameEvent("next"))
	require.Len(t, log.Since(0), 2)
	require.NoError(t, log.Free())
}

func TestWithoutAPlaceOnDiskNothingIsLost(t *testing.T) {
	log := NewLog(time.Now, Memory(1), SpillDir("/no/such/folder"))
	for range 1000 {
		log.Append(frameEvent("a"))
	}
	require.ErrorContains(t, log.Usage().Err, "page the log to disk")
	require.Len(t, log.Since(0), 1000)
}

func TestStderrAndNoiseAreRingsThatCountWhatTheyDrop(t *testing.T) {
	log := NewLog(time.Now, Memory(16<<20)) // rings of one megabyte
	for range 64 {
		log.Append(Event{Stderr: &Stderr{Bytes: make([]byte, 64<<10)}})
		log.Append(Event{Noise: &Noise{Bytes: make([]byte, 64<<10), Why: "not JSON"}})
		log.Append(frameEvent("f"))
	}
	var kept, dropped, stray, strayDropped int64
	for _, e := range log.Since(0) {
		if e.Stderr != nil {
			kept, dropped = kept+int64(len(e.Stderr.Bytes)), dropped+e.Stderr.Dropped
		}
		if e.Noise != nil {
			stray, strayDropped = stray+int64(len(e.Noise.Bytes)), strayDropped+int64(e.Noise.Dropped)
			require.Equal(t, "not JSON", e.Noise.Why)
		}
		if e.Frame != nil {
			require.Equal(t, "f", string(e.Frame.Bytes), "frames are never dropped")
		}
	}
	require.EqualValues(t, 15*64<<10, kept, "what remembering it takes counts, too")
	require.EqualValues(t, 64*64<<10, kept+dropped)
	require.EqualValues(t, 15*64<<10, stray)
	require.EqualValues(t, 49, strayDropped)
}

// TestWhatLiesOnDiskTakesNoMemory holds a log against a server that never stops.
func TestWhatLiesOnDiskTakesNoMemory(t *testing.T) {
	log := NewLog(time.Now, Memory(1<<20), SpillDir(t.TempDir()))
	add := func() {
		for range 10_000 {
			log.Append(frameEvent(`{"jsonrpc":"2.0","method":"x"}`))
			log.Append(Event{Stderr: &Stderr{Bytes: []byte("!")}})
			log.Append(Event{Noise: &Noise{Bytes: []byte("?"), Why: "not JSON"}})
		}
	}
	add()
	before := alive()
	add()
	require.Less(t, alive()-before, 256<<10, "bytes kept of 30,000 further events")
	require.EqualValues(t, 60_000, log.Len())
	for _, seq := range []int{1, 300, 30_001, 60_000} {
		e, ok := log.Event(seq)
		require.True(t, ok)
		require.Equal(t, seq, e.Seq)
	}
	require.NoError(t, log.Free())
}

func alive() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

func TestManyMayAppendAndReadAtOnce(t *testing.T) {
	log := NewLog(time.Now, Memory(32<<10), SpillDir(t.TempDir()))
	var writers, readers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for i := range 500 {
				log.Append(frameEvent(strings.Repeat("z", i)))
				log.Append(Event{Stderr: &Stderr{Bytes: make([]byte, 1000)}})
			}
		})
		readers.Go(func() {
			for after := 0; ; {
				events, err := log.Next(context.Background(), after)
				if err != nil {
					return
				}
				for _, e := range events {
					after++
					if e.Seq != after {
						panic("events out of order")
					}
				}
			}
		})
	}
	writers.Wait()
	log.Close()
	readers.Wait()
	require.Equal(t, 4000, log.Len())
	require.NoError(t, log.Free())
}

func BenchmarkAppendAndNext(b *testing.B) {
	log := NewLog(time.Now, Memory(16<<20), SpillDir(b.TempDir()))
	defer func() { _ = log.Free() }()
	body := bytes.Repeat([]byte("x"), 300)
	for i := 0; b.Loop(); i++ {
		log.Append(Event{Frame: &Frame{Dir: In, Bytes: body}})
		if _, err := log.Next(context.Background(), i); err != nil {
			b.Fatal(err)
		}
	}
}

func TestMemoryStaysFlatOnceTheBudgetIsReached(t *testing.T) {
	log := NewLog(time.Now, Memory(4<<20), SpillDir(t.TempDir()))
	fill := func(n int) uint64 {
		for i := range n {
			log.Append(Event{Frame: &Frame{Dir: In, Bytes: fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":%d,"message":%q}}`, i, strings.Repeat("m", 200))}})
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	fill(10_000)
	before := fill(10_000)
	after := fill(30_000)
	require.Less(t, int64(after)-int64(before), int64(2<<20), "30,000 more events of 450 bytes")
	require.Equal(t, 50_000, log.Len())
	require.NoError(t, log.Free())
}
