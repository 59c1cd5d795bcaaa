// Command steady connects the client to a server that never stops telling of
// something, and prints what memory it takes: once the log has reached its budget
// and older events go to disk, that must stay flat. It is a test by hand.
//
//	go run ./testdata/steady                     1,000 notifications a second for a minute
//	go run ./testdata/steady -fold -settle 28s   with the fold that a screen follows,
//	                                             which has a bound of its own
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"mcptui/client"
	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/client/trace"
)

type settings struct {
	rate, size int
	budget     int64
	length     time.Duration
	fold       bool
	growth     int64
	settle     time.Duration
}

func main() {
	var s settings
	flag.IntVar(&s.rate, "rate", 1000, "notifications a second")
	flag.IntVar(&s.size, "size", 1000, "bytes of each")
	flag.Int64Var(&s.budget, "budget", 16<<20, "bytes that the log keeps in memory")
	flag.DurationVar(&s.length, "for", time.Minute, "how long")
	flag.BoolVar(&s.fold, "fold", false, "fold the events, as the screen does")
	flag.Int64Var(&s.growth, "growth", 4<<20, "bytes that memory may grow by after the budget is reached")
	flag.DurationVar(&s.settle, "settle", 0, "judge from here on, where the budget is reached sooner")
	flag.Parse()
	if err := run(s); err != nil {
		fmt.Fprintln(os.Stderr, "steady:", err)
		os.Exit(1)
	}
}

func run(s settings) error {
	ctx := context.Background()
	log := trace.NewLog(time.Now, trace.Memory(s.budget))
	defer func() { _ = log.Free() }()
	c, err := client.Dial(ctx, client.Options{Log: log, Target: client.Target{Pipe: func(context.Context) (io.ReadWriteCloser, error) {
		ours, theirs := net.Pipe()
		go serve(theirs, s)
		return ours, nil
	}}})
	if err != nil {
		return err
	}
	if err := c.Ready(ctx); err != nil {
		return err
	}
	folded := make(chan error, 1)
	if s.fold {
		go func() { folded <- follow(ctx, log) }()
	}
	level, err := watch(log, s)
	if err != nil {
		return err
	}
	if err := c.Close(ctx); err != nil {
		return err
	}
	if s.fold {
		if err := <-folded; err != nil {
			return err
		}
	}
	return level.verdict(s)
}

// follow folds what comes, at the pace of a screen.
func follow(ctx context.Context, log *trace.Log) error {
	folded, seen := session.New(), 0
	for {
		events, err := log.Next(ctx, seen)
		if err != nil {
			return nil // the end of the log
		}
		for _, e := range events {
			folded.Apply(e)
			if e.Frame != nil {
				e.Frame.Forget()
			}
			seen = e.Seq
		}
		time.Sleep(30 * time.Millisecond)
	}
}

// serve sends notifications at an even rate, once it was asked for its versions.
func serve(to net.Conn, s settings) {
	defer to.Close()
	in := bufio.NewScanner(to)
	for in.Scan() {
		m := rpc.Parse(in.Bytes())
		if m.Method == "server/discover" {
			fmt.Fprintf(to, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}}`+"\n", m.ID)
			break
		}
	}
	go func() { _, _ = io.Copy(io.Discard, to) }()
	filler := strings.Repeat("x", max(s.size-120, 0))
	const pause = 10 * time.Millisecond
	began := time.Now()
	for sent := 0; ; time.Sleep(pause) {
		for due := int(time.Since(began).Seconds() * float64(s.rate)); sent < due; sent++ {
			if _, err := fmt.Fprintf(to, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"steady","data":"%d %s"}}`+"\n", sent, filler); err != nil {
				return
			}
		}
	}
}

// levels is what memory was like when the budget was reached, and later at most.
type levels struct {
	reached, heap, most, rss, mostRSS int64
	events                            int
}

func watch(log *trace.Log, s settings) (l levels, err error) {
	fmt.Printf("%6s %10s %12s %12s %12s %12s\n", "s", "events", "heap KB", "RSS KB", "log KB", "on disk KB")
	began := time.Now()
	tick := time.NewTicker(5 * time.Second)
	defer tick.Stop()
	for now := range tick.C {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		usage, rss := log.Usage(), resident()
		if usage.Err != nil {
			return l, usage.Err
		}
		heap := int64(m.HeapAlloc)
		fmt.Printf("%6.0f %10d %12d %12d %12d %12d\n", now.Sub(began).Seconds(), log.Len(), heap>>10, rss>>10, usage.Memory>>10, usage.Disk>>10)
		switch {
		case usage.Disk == 0 || now.Sub(began) < s.settle:
		case l.reached == 0:
			l.reached, l.heap, l.rss = usage.Memory, heap, rss
		default:
			l.most, l.mostRSS = max(l.most, heap), max(l.mostRSS, rss)
		}
		l.events = log.Len()
		if now.Sub(began) >= s.length-time.Second {
			return l, nil
		}
	}
	return l, nil
}

func (l levels) verdict(s settings) error {
	if want := int(s.length.Seconds()) * s.rate * 9 / 10; l.events < want {
		return fmt.Errorf("only %d events came, not %d", l.events, want)
	}
	if l.most == 0 {
		return fmt.Errorf("the budget was not reached early enough to judge")
	}
	fmt.Printf("from then on: heap %+d KB, RSS %+d KB\n", (l.most-l.heap)>>10, (l.mostRSS-l.rss)>>10)
	if l.most-l.heap > s.growth {
		return fmt.Errorf("memory is not flat: the heap grew by %d KB", (l.most-l.heap)>>10)
	}
	fmt.Println("memory is flat")
	return nil
}

// resident is what the system says this process takes, 0 where it does not.
func resident() int64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	if words := strings.Fields(string(data)); len(words) > 1 {
		pages, _ := strconv.ParseInt(words[1], 10, 64)
		return pages * int64(os.Getpagesize())
	}
	return 0
}
