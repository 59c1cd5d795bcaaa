package wire

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/internal/leaktest"
	"mcptui/client/trace"
)

// The test binary is also the misbehaving server: started with this variable it
// plays the named part on its standard streams.
const partVariable = "MCPTUI_TEST_PART"

func TestMain(m *testing.M) {
	if part := os.Getenv(partVariable); part != "" {
		play(part)
		return
	}
	leaktest.Main(m)
}

func play(part string) {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	next := func() string {
		line, err := in.ReadString('\n')
		if err != nil {
			os.Exit(0)
		}
		return strings.TrimSpace(line)
	}
	const answer = `{"jsonrpc":"2.0","id":1,"result":{"text":"` + "漢字" + `"}}`
	out := func(s string) { _, _ = os.Stdout.WriteString(s) }
	switch part {
	case "echo":
		for {
			out(next() + "\n")
		}
	case "noise":
		out("\ufeffMyServer v1.2.3 starting…\nDEBUG loading\r\n\n   \n{\"level\":\"info\"}\n42\nnull\n[]\n\"text\"\n\x1b[32mINFO\x1b[0m\n{\"jsonrpc\":\"2.0\"}\nWarning: " + answer + "\n")
		next()
		out("between\n" + answer + "\r\n" + "\ufeff" + answer + "\n" + answer) // the last without its newline
		os.Exit(0)
	case "chatter":
		out("banner \xff\xfe\r\n\n")
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				out(answer) // the last words, without a newline
				os.Exit(0)
			}
			out("got " + line + answer + "\r\n" + answer + "\n[]\n")
		}
	case "proxy": // between both ends, and writes down what crosses
		proxy(os.Getenv("MCPTUI_TEST_DIR"))
	case "split":
		next()
		for _, b := range []byte(answer + "\n") {
			_, _ = os.Stdout.Write([]byte{b})
			time.Sleep(200 * time.Microsecond)
		}
		next()
	case "exit3":
		next()
		_, _ = os.Stderr.WriteString("panic: nil map\n")
		os.Exit(3)
	case "killed":
		next()
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Kill()
		}
		time.Sleep(time.Minute)
	case "stderrflood":
		line := bytes.Repeat([]byte("noise on stderr \xff\xfe \x1b[31m\n"), 4096)
		for range 100 {
			_, _ = os.Stderr.Write(line)
		}
		next()
		out(answer + "\n")
		next()
	case "huge":
		next()
		out(`{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat("x", 3<<20) + "\"}\n" + answer + "\n")
		next()
	case "endless":
		chunk := strings.Repeat("y", 1<<20)
		for range 3 {
			out(chunk)
		}
		out("\n" + answer + "\n")
		next()
	case "zombie":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
		holder := exec.Command("sleep", "60")
		holder.Stdout, holder.Stderr = os.Stdout, os.Stderr
		if err := holder.Start(); err != nil {
			os.Exit(9)
		}
		fmt.Fprintf(os.Stderr, "grandchild %d\n", holder.Process.Pid)
		time.Sleep(time.Minute)
	case "orphan": // ends at once and leaves something that holds its output
		holder := exec.Command("sleep", "60")
		holder.Stdout, holder.Stderr = os.Stdout, os.Stderr
		if err := holder.Start(); err != nil {
			os.Exit(9)
		}
		out(answer + "\n")
		os.Exit(0)
	case "shut": // closes its input and lives on
		next()
		_ = os.Stdin.Close()
		out(answer + "\n")
		time.Sleep(time.Minute)
	case "deaf": // never reads
		time.Sleep(time.Minute)
	case "unended":
		out(answer)
		next()
		next()
	case "mute": // closes its output and lives on
		_ = os.Stdout.Close()
		time.Sleep(time.Minute)
	}
}

func child(t *testing.T, part string, events *events) *Child {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	c := NewStdio(Stdio{Command: self, Env: []string{partVariable + "=" + part}, MaxFrame: 1 << 20}, events.emit)
	t.Cleanup(func() { _ = c.Close(t.Context()) })
	return c
}

// patience bounds what is waited for: a wait that succeeds costs nothing, and a
// machine may be very slow.
const patience = 90 * time.Second

// events collects what a transport emits.
type events struct {
	mu  sync.Mutex
	all []trace.Event
	new chan struct{}
}

func collect() *events { return &events{new: make(chan struct{}, 1)} }

func (e *events) emit(ev trace.Event) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	ev.Seq = len(e.all) + 1
	e.all = append(e.all, ev)
	select {
	case e.new <- struct{}{}:
	default:
	}
	return ev.Seq
}

func (e *events) list() []trace.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.all[:len(e.all):len(e.all)]
}

// until waits until an event satisfies the condition, and returns the first.
func (e *events) until(t *testing.T, what string, is func(trace.Event) bool) trace.Event {
	t.Helper()
	deadline := time.After(patience)
	for {
		for _, ev := range e.list() {
			if is(ev) {
				return ev
			}
		}
		select {
		case <-e.new:
		case <-deadline:
			require.Fail(t, "never happened: "+what, "%s", e.dump())
		}
	}
}

func (e *events) dump() string {
	var b strings.Builder
	for _, ev := range e.list() {
		switch {
		case ev.Frame != nil:
			fmt.Fprintf(&b, "%d frame %s x%d %.120q\n", ev.Seq, ev.Frame.Dir, ev.Frame.Exchange, ev.Frame.Bytes)
		case ev.HTTP != nil:
			fmt.Fprintf(&b, "%d http x%d %s %d %s lost=%v\n", ev.Seq, ev.HTTP.Exchange, ev.HTTP.Stage, ev.HTTP.Status, ev.HTTP.Note, ev.HTTP.Lost)
		case ev.Noise != nil:
			fmt.Fprintf(&b, "%d noise x%d %s %.120q\n", ev.Seq, ev.Noise.Exchange, ev.Noise.Why, ev.Noise.Bytes)
		case ev.Phase != nil:
			fmt.Fprintf(&b, "%d phase %s %s %s\n", ev.Seq, ev.Phase.Name, ev.Phase.Reason, ev.Phase.Signal)
		case ev.Act != nil:
			fmt.Fprintf(&b, "%d act %s\n", ev.Seq, ev.Act.Note)
		}
	}
	return b.String()
}

func phase(name trace.PhaseName) func(trace.Event) bool {
	return func(e trace.Event) bool { return e.Phase != nil && e.Phase.Name == name }
}

func frameIn(part string) func(trace.Event) bool {
	return func(e trace.Event) bool {
		return e.Frame != nil && e.Frame.Dir == trace.In && strings.Contains(string(e.Frame.Bytes), part)
	}
}

// incoming puts the recorded bytes of a stream together again.
func (e *events) incoming(exchange int) string {
	var b strings.Builder
	for _, ev := range e.list() {
		switch f := ev.Frame; {
		case f != nil && f.Dir == trace.In && f.Exchange == exchange:
			b.Write(trace.WireBytes(f))
		case ev.Noise != nil && ev.Noise.Exchange == exchange:
			b.Write(ev.Noise.Bytes)
		}
	}
	return b.String()
}

// outgoing puts together what was sent.
func (e *events) outgoing() string {
	var b strings.Builder
	for _, ev := range e.list() {
		if ev.Frame != nil && ev.Frame.Dir == trace.Out {
			b.Write(trace.WireBytes(ev.Frame))
		}
	}
	return b.String()
}

func request(id int, method string) Message {
	return Message{Bytes: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q}`, id, method), Request: true, ID: fmt.Sprint(id)}
}

func readerOf(b []byte) *bufio.Reader { return bufio.NewReader(bytes.NewReader(b)) }

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

func proxy(dir string) {
	fail := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	sent, err := os.Create(dir + "/sent")
	fail(err)
	got, err := os.Create(dir + "/got")
	fail(err)
	self, err := os.Executable()
	fail(err)
	server := exec.Command(self)
	server.Env = append(os.Environ(), partVariable+"=chatter")
	server.Stdin = io.TeeReader(os.Stdin, sent)
	server.Stdout = io.MultiWriter(got, os.Stdout)
	fail(server.Run())
}
