//go:build unix

package wire

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
)

func TestStrayLinesAreNoiseAndMessagesGetThrough(t *testing.T) {
	t.Parallel()
	ev := collect()
	c := child(t, "noise", ev)
	require.NoError(t, c.Start(t.Context()))
	require.NoError(t, c.Send(request(1, "tools/list")))
	ev.until(t, "exit", phase(trace.PhaseExited))

	const answer = `{"jsonrpc":"2.0","id":1,"result":{"text":"漢字"}}`
	var frames, reasons []string
	for _, e := range ev.list() {
		if e.Frame != nil && e.Frame.Dir == trace.In {
			frames = append(frames, string(e.Frame.Bytes))
		}
		if e.Noise != nil {
			reasons = append(reasons, e.Noise.Why)
		}
	}
	require.Equal(t, []string{answer, "\ufeff" + answer, answer}, frames)
	require.Equal(t, []string{
		"not JSON", "not JSON", "blank line", "blank line", "JSON, but no JSON-RPC message", "JSON, but no JSON-RPC message",
		"JSON, but no JSON-RPC message", "JSON, but no JSON-RPC message", "JSON, but no JSON-RPC message", "not JSON",
		"JSON, but no JSON-RPC message", "not JSON", "not JSON",
	}, reasons)
	require.True(t, strings.HasSuffix(ev.incoming(0), "between\n"+answer+"\r\n\ufeff"+answer+"\n"+answer), "%q", ev.incoming(0))
	require.True(t, strings.HasPrefix(ev.incoming(0), "\ufeffMyServer v1.2.3 starting…\nDEBUG loading\r\n\n   \n"))
}

func TestACharacterSplitAcrossReadsStaysWhole(t *testing.T) {
	t.Parallel()
	ev := collect()
	c := child(t, "split", ev)
	require.NoError(t, c.Start(t.Context()))
	require.NoError(t, c.Send(request(1, "x")))
	e := ev.until(t, "answer", frameIn("漢字"))
	require.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{"text":"漢字"}}`, string(e.Frame.Bytes))
	require.NoError(t, c.Close(t.Context()))
}

func TestTheEndOfAChildIsToldWithCodeOrSignal(t *testing.T) {
	t.Parallel()
	for part, check := range map[string]func(*testing.T, *trace.Phase){
		"exit3":  func(t *testing.T, p *trace.Phase) { require.NotNil(t, p.Code); require.Equal(t, 3, *p.Code) },
		"killed": func(t *testing.T, p *trace.Phase) { require.Nil(t, p.Code); require.Equal(t, "SIGKILL", p.Signal) },
	} {
		t.Run(part, func(t *testing.T) {
			ev := collect()
			c := child(t, part, ev)
			require.NoError(t, c.Start(t.Context()))
			require.NoError(t, c.Send(request(1, "initialize")))
			e := ev.until(t, "exit", phase(trace.PhaseExited))
			check(t, e.Phase)
			require.Equal(t, "the server ended by itself", e.Phase.Reason)
			require.ErrorIs(t, c.Send(request(2, "x")), ErrClosed)
			if part == "exit3" {
				said := ""
				for _, e := range ev.list() {
					if e.Stderr != nil {
						said += string(e.Stderr.Bytes)
					}
				}
				require.Equal(t, "panic: nil map\n", said, "stderr is in the log before the exit")
			}
			require.NoError(t, c.Close(t.Context()))
		})
	}
}

func TestAFloodOfStderrDoesNotBlockTheServer(t *testing.T) {
	t.Parallel()
	ev := collect()
	c := child(t, "stderrflood", ev)
	require.NoError(t, c.Start(t.Context()))
	require.NoError(t, c.Send(request(1, "x")))
	ev.until(t, "answer", frameIn(`"id":1`))
	require.NoError(t, c.Close(t.Context()))
}

func TestAFrameAboveTheLimitIsCutAndTheStreamGoesOn(t *testing.T) {
	t.Parallel()
	ev := collect()
	c := child(t, "huge", ev)
	require.NoError(t, c.Start(t.Context()))
	require.NoError(t, c.Send(request(1, "x")))
	cut := ev.until(t, "huge frame", frameIn("xxxx"))
	require.Len(t, cut.Frame.Bytes, keptOfHuge)
	require.Equal(t, 3<<20+len(`{"jsonrpc":"2.0","id":1,"result":""}`), cut.Frame.Size)
	ev.until(t, "the next frame", frameIn("漢字"))
	require.NoError(t, c.Close(t.Context()))
}

func TestAnEndlessLineIsBoundedNoise(t *testing.T) {
	t.Parallel()
	ev := collect()
	c := child(t, "endless", ev)
	require.NoError(t, c.Start(t.Context()))
	e := ev.until(t, "noise", func(e trace.Event) bool { return e.Noise != nil })
	require.Equal(t, 3<<20+1, e.Noise.Size)
	require.LessOrEqual(t, len(e.Noise.Bytes), keptOfHuge)
	ev.until(t, "the next frame", frameIn("漢字"))
	require.NoError(t, c.Close(t.Context()))
}

func TestCloseGoesThroughItsStagesAndLeavesNothing(t *testing.T) {
	t.Parallel()
	ev := collect()
	c := child(t, "zombie", ev)
	require.NoError(t, c.Start(t.Context()))
	said := ev.until(t, "stderr", func(e trace.Event) bool { return e.Stderr != nil })
	pid, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(string(said.Stderr.Bytes), "grandchild ")))
	require.NoError(t, err)
	require.NoError(t, c.Close(t.Context()))
	var stages []string
	for _, e := range ev.list() {
		if e.Phase != nil && e.Phase.Name != trace.PhaseStarting {
			stages = append(stages, string(e.Phase.Name)+" "+e.Phase.Reason+e.Phase.Signal)
		}
	}
	require.Equal(t, []string{
		"closing standard input closed", "closing TERM sent to the process group", "closing KILL sent to the process group", "exited closedSIGKILL",
	}, stages)
	requireGone(t, pid)
}

func TestAnEndedContextMakesCloseKillAtOnce(t *testing.T) {
	t.Parallel()
	ev := collect()
	c := child(t, "zombie", ev)
	require.NoError(t, c.Start(t.Context()))
	ev.until(t, "stderr", func(e trace.Event) bool { return e.Stderr != nil })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, c.Close(ctx))
	e := ev.until(t, "exit", phase(trace.PhaseExited))
	require.Equal(t, "SIGKILL", e.Phase.Signal)
}

func TestAGrandchildThatHoldsTheOutputIsEnded(t *testing.T) {
	t.Parallel()
	ev := collect()
	c := child(t, "orphan", ev)
	require.NoError(t, c.Start(t.Context()))
	e := ev.until(t, "exit", phase(trace.PhaseExited))
	require.Equal(t, 0, *e.Phase.Code)
	ev.until(t, "answer", frameIn("漢字"))
	ev.until(t, "mention", func(e trace.Event) bool { return e.Phase != nil && strings.Contains(e.Phase.Reason, "left behind") })
	require.NoError(t, c.Close(t.Context()))
}

func TestAServerThatDoesNotReadBlocksNobody(t *testing.T) {
	t.Parallel()
	ev := collect()
	c := child(t, "deaf", ev)
	require.NoError(t, c.Start(t.Context()))
	big := request(1, strings.Repeat("z", 1<<20))
	for range 3 {
		require.NoError(t, c.Send(big))
	}
	require.Eventually(t, func() bool { p := c.Progress(); return p.Written > 0 && p.Written < p.Size && p.Queued == 2 }, patience, time.Millisecond)
	ev.until(t, "a word about it", func(e trace.Event) bool {
		return e.Act != nil && strings.Contains(e.Act.Note, "does not read its input")
	})
	require.NoError(t, c.Close(t.Context()))
	require.ErrorIs(t, c.Send(big), ErrClosed)
}

// What a server that lives no longer reads is lost, and whoever sent it learns so:
// the message that the pipe refused, those behind it, and whatever comes later.
func TestAServerThatClosesItsInputLosesWhatIsSent(t *testing.T) {
	t.Parallel()
	ev := collect()
	c := child(t, "shut", ev)
	require.NoError(t, c.Start(t.Context()))
	require.NoError(t, c.Send(request(1, "x")))
	ev.until(t, "answer", frameIn(`"id":1`))
	lost := make(chan error, 2)
	for i := range 2 {
		m := request(2+i, "x")
		m.Failed = func(err error) { lost <- err }
		if err := c.Send(m); err != nil {
			lost <- err // it was known already
		}
	}
	for range 2 {
		require.ErrorContains(t, <-lost, "the server has closed its input")
	}
	require.ErrorContains(t, c.Send(request(4, "x")), "the server has closed its input")
	require.NoError(t, c.Close(t.Context()))
}

// What was sent before Close still leaves, a cancellation for example.
func TestClosingAPipeLetsGoWhatWasSent(t *testing.T) {
	ours, theirs := net.Pipe()
	ev := collect()
	p := NewPipe(ours, 0, ev.emit)
	p.wait = time.Minute
	require.NoError(t, p.Start(t.Context()))
	for i := range 20 {
		require.NoError(t, p.Send(request(i, "notifications/cancelled")))
	}
	closed := make(chan error)
	go func() { closed <- p.Close(t.Context()) }()
	ev.until(t, "closing", phase(trace.PhaseClosing))
	in := bufio.NewScanner(theirs) // only now does the server read
	for i := range 20 {
		require.True(t, in.Scan())
		require.Equal(t, string(request(i, "notifications/cancelled").Bytes), in.Text())
	}
	require.NoError(t, <-closed)
	require.False(t, in.Scan())
	require.ErrorIs(t, p.Send(request(99, "x")), ErrClosed)
}

func TestASmallFrameLimitIsKept(t *testing.T) {
	const limit = 100
	fits := `{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat("x", limit-36) + `"}`
	require.Len(t, fits, limit)
	for name, c := range map[string]struct {
		message string
		kept    int
	}{"as long as the limit": {fits, limit}, "one byte longer": {fits + " ", limit}, "much longer": {fits + strings.Repeat(" ", 1<<20), limit}} {
		t.Run(name, func(t *testing.T) {
			size := 0 // that is told: of what was cut
			if len(c.message) > limit {
				size = len(c.message)
			}
			check := func(ev *events, frame string) {
				got := ev.until(t, "the message", frameIn("xxxx")).Frame
				require.Len(t, got.Bytes, c.kept)
				require.Equal(t, size, got.Size)
				require.Equal(t, frame, string(got.Bytes))
			}
			ours, theirs := net.Pipe()
			ev := collect()
			p := NewPipe(ours, limit, ev.emit)
			require.NoError(t, p.Start(t.Context()))
			go func() { _, _ = io.WriteString(theirs, c.message+"\n") }()
			check(ev, c.message[:limit])
			require.NoError(t, p.Close(t.Context()))

			s, ev := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, c.message)
			})
			s.how.MaxFrame = limit
			require.NoError(t, s.Send(request(1, "x")))
			check(ev, c.message[:limit])
		})
	}
}

func TestTheFrameLimitHoldsInAPipeToo(t *testing.T) {
	ours, theirs := net.Pipe()
	ev := collect()
	p := NewPipe(ours, 1<<20, ev.emit)
	require.NoError(t, p.Start(t.Context()))
	go func() {
		_, _ = io.WriteString(theirs, `{"jsonrpc":"2.0","id":1,"result":"`+strings.Repeat("x", 2<<20)+"\"}\n"+answer1+"\n")
	}()
	ev.until(t, "the next frame", frameIn("漢字"))
	cut := ev.until(t, "huge frame", frameIn("xxxx"))
	require.Len(t, cut.Frame.Bytes, keptOfHuge)
	require.Equal(t, 2<<20+len(`{"jsonrpc":"2.0","id":1,"result":""}`), cut.Frame.Size)
	require.NoError(t, p.Close(t.Context()))
}

func TestAMissingNewlineIsNoticed(t *testing.T) {
	t.Parallel()
	ev := collect()
	c := child(t, "unended", ev)
	require.NoError(t, c.Start(t.Context()))
	ev.until(t, "a word about it", func(e trace.Event) bool {
		return e.Act != nil && strings.Contains(e.Act.Note, "without a line end")
	})
	require.NoError(t, c.Close(t.Context()))
	ev.until(t, "what came at last", frameIn("漢字"))
}

func TestStderrIsCutAtLineEnds(t *testing.T) {
	ev := collect()
	text := strings.Repeat("a line of fifty bytes, as servers like to write it\n", 5000)
	NewStdio(Stdio{}, ev.emit).drainStderr(strings.NewReader(text + "the end"))
	sum := ""
	list := ev.list()
	for i, e := range list {
		sum += string(e.Stderr.Bytes)
		if i < len(list)-1 {
			require.True(t, strings.HasSuffix(sum, "\n"), "%d", i)
		}
	}
	require.Equal(t, text+"the end", sum)
	require.Greater(t, len(list), 2)
	long := strings.Repeat("x", 3*readSize+7)
	ev = collect()
	NewStdio(Stdio{}, ev.emit).drainStderr(strings.NewReader(long))
	sum = ""
	for _, e := range ev.list() {
		sum += string(e.Stderr.Bytes)
	}
	require.Equal(t, long, sum)
}

func TestAServerThatClosesItsOutputIsEnded(t *testing.T) {
	t.Parallel()
	ev := collect()
	c := child(t, "mute", ev)
	require.NoError(t, c.Start(t.Context()))
	e := ev.until(t, "exit", phase(trace.PhaseExited))
	require.Equal(t, "the server had closed its standard output", e.Phase.Reason)
	require.NoError(t, c.Close(t.Context()))
}

func TestAMessageStaysOneLine(t *testing.T) {
	t.Parallel()
	ev := collect()
	c := child(t, "echo", ev)
	require.NoError(t, c.Start(t.Context()))
	require.NoError(t, c.Send(Message{Bytes: []byte("{\"jsonrpc\":\"2.0\",\r\n \"id\":1,\n \"method\":\"x\"}")}))
	want := `{"jsonrpc":"2.0",   "id":1,  "method":"x"}`
	e := ev.until(t, "echo", frameIn(`"id":1`))
	require.Equal(t, want, string(e.Frame.Bytes))
	out := ev.until(t, "out", func(e trace.Event) bool { return e.Frame != nil && e.Frame.Dir == trace.Out })
	require.Equal(t, want, string(out.Frame.Bytes))
	require.Less(t, out.Seq, e.Seq)
	require.NoError(t, c.Close(t.Context()))
}

func TestAStartThatFailsSaysWhyAndWhatToTry(t *testing.T) {
	t.Parallel()
	notExecutable := t.TempDir() + "/server.py"
	require.NoError(t, os.WriteFile(notExecutable, []byte("print()"), 0o600))
	for _, c := range []struct {
		how  Stdio
		want string
	}{
		{Stdio{Command: "no-such-program-anywhere"}, "no such program in PATH"},
		{Stdio{Command: "/no/such/file"}, "no such file"},
		{Stdio{Command: notExecutable}, "chmod"},
		{Stdio{Command: "sh", Dir: "/no/such/dir"}, "--cwd"},
	} {
		tr := NewStdio(c.how, collect().emit)
		require.ErrorContains(t, tr.Start(t.Context()), c.want)
		require.NoError(t, tr.Close(t.Context()))
	}
}

func TestTheTargetHidesValuesOfTheEnvironment(t *testing.T) {
	t.Parallel()
	c := NewStdio(Stdio{Command: "server", Args: []string{"--key=topsecret1"}, Env: []string{"KEY=topsecret1", "A=1"}}, collect().emit)
	require.Equal(t, "server --key=$KEY", c.target())
}

func requireGone(t *testing.T, pid int) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("looks into /proc")
	}
	require.Eventually(t, func() bool {
		if syscall.Kill(pid, 0) != nil {
			return true
		}
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		return err != nil || strings.Contains(string(stat), ") Z ") // a zombie that nobody reaped yet
	}, patience, 10*time.Millisecond)
}
