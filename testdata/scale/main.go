// Command scale measures mcptui under load, through a pseudo-terminal: how long
// a key takes to change the screen and what memory is taken while 100,000
// frames have come and 2,000 more come each second; how long a filter over them
// takes; and how long results of 5 MB and 60 MB take from their last byte to
// the screen, and to be scrolled. It serves the load itself. Linux only: memory
// is read from /proc.
//
//	go build -o /tmp/mcptui ./cmd/mcptui && go build -o /tmp/scale ./testdata/scale && /tmp/scale /tmp/mcptui
//
// Timings on a busy machine say little: the CPU time of the program is printed
// beside them, and a scenario can be run alone (/tmp/scale /tmp/mcptui flood).
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	frames    = 100_000
	perSecond = 2_000
	keys      = 300
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "serve" {
		if err := serve(); err != nil {
			fmt.Fprintln(os.Stderr, "scale:", err)
			os.Exit(1)
		}
		return
	}
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: scale BINARY [flood|text5|text60|json5|json60]…")
		os.Exit(2)
	}
	m := &measure{binary: os.Args[1]}
	only := os.Args[2:]
	for _, s := range []struct {
		name string
		run  func() error
	}{
		{"flood", m.flood},
		{"text5", func() error { return m.large("text5", 300*time.Millisecond, 100) }},
		{"json5", func() error { return m.large("json5", 300*time.Millisecond, 100) }},
		{"text60", func() error { return m.large("text60", 2*time.Second, 0) }},
		{"json60", func() error { return m.large("json60", 2*time.Second, 0) }},
	} {
		if len(only) > 0 && !slices.Contains(only, s.name) {
			continue
		}
		if err := s.run(); err != nil {
			fmt.Fprintf(os.Stderr, "scale: %s: %v\n", s.name, err)
			os.Exit(1)
		}
	}
	if m.missed {
		os.Exit(1)
	}
}

type measure struct {
	binary string
	missed bool
}

func (m *measure) report(what string, took, limit time.Duration) {
	verdict := "ok"
	if took > limit {
		verdict, m.missed = "MISSED", true
	}
	fmt.Printf("%-46s %8s  (limit %v) %s\n", what, took.Round(100*time.Microsecond), limit, verdict)
}

// begin starts the program on a server of ours and calls one of its tools.
func (m *measure) begin(tool string, env ...string) (*terminal, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	t, err := start([]string{m.binary, "--no-state", "--", self, "serve"}, env...)
	if err != nil {
		return nil, err
	}
	if _, err = t.shows("json60"); err == nil {
		_, err = t.press("/"+tool, func(s string) bool { return strings.Contains(s, "Catalogue /"+tool) })
	}
	if err == nil {
		_, err = t.press("\r", func(s string) bool { return strings.Contains(s, "1 "+tool) })
	}
	if err != nil {
		t.close()
	}
	return t, err
}

var (
	selected = regexp.MustCompile(`(?m)^.> *(\d+) `)
	listed   = regexp.MustCompile(`(?m)^.[> ] *(\d+) +\d+\.\d{3} `)
)

func number(re *regexp.Regexp, screen string) int {
	n := -1
	if f := re.FindStringSubmatch(screen); f != nil {
		n, _ = strconv.Atoi(f[1])
	}
	return n
}

// alone measures a terminal with nothing behind it that has work to do: what
// is said of keys is to be compared with this.
func alone() error {
	t, err := start([]string{"sh", "-c", "stty raw -echo; echo ready; exec cat"})
	if err != nil {
		return err
	}
	defer t.close()
	if _, err := t.shows("ready"); err != nil {
		return err
	}
	var took []time.Duration
	for i := range keys {
		key := string(rune('a' + i%26))
		d, err := t.press("\r"+key, func(s string) bool { return strings.Contains(s, "\n"+key) })
		if err != nil {
			return err
		}
		took = append(took, d)
		time.Sleep(7 * time.Millisecond)
	}
	slices.Sort(took)
	fmt.Printf("a terminal with cat behind it: median %v, 99th percentile %v, max %v\n", took[keys/2].Round(100*time.Microsecond), took[keys*99/100].Round(100*time.Microsecond), took[keys-1].Round(100*time.Microsecond))
	return nil
}

func (m *measure) flood() error {
	if err := alone(); err != nil {
		return err
	}
	begun := time.Now()
	t, err := m.begin("flood")
	if err != nil {
		return err
	}
	defer t.close()
	fmt.Printf("%d frames, then %d a second\n", frames, perSecond)
	if _, err := t.press("\x1b[27u3", func(s string) bool { return strings.Contains(s, "[3 Wire]") }); err != nil {
		return err
	}
	if _, err := t.until("the last frame of the burst", func(s string) bool { return number(selected, s) > frames }); err != nil {
		return err
	}
	fmt.Printf("all there after %v: %v\n", time.Since(begun).Round(time.Millisecond), t.takes())
	if err := m.keysToScreen(t); err != nil {
		return err
	}
	fmt.Println("after the keys:", t.takes())
	return m.filter(t)
}

// keysToScreen moves the selection up and down while frames come.
func (m *measure) keysToScreen(t *terminal) error {
	at := 0
	if _, err := t.press("k", func(s string) bool { at = number(selected, s); return !strings.Contains(s, "following") }); err != nil {
		return err
	}
	var took []time.Duration
	for i := range keys {
		key, step := "k", -1
		if i%2 == 1 {
			key, step = "j", 1
		}
		d, err := t.press(key, func(s string) bool { return number(selected, s) == at+step })
		if err != nil {
			return err
		}
		at += step
		took = append(took, d)
		time.Sleep(7 * time.Millisecond) // no rhythm with the frames
	}
	slices.Sort(took)
	fmt.Printf("key to screen: min %v, median %v, max %v\n", took[0].Round(100*time.Microsecond), took[keys/2].Round(100*time.Microsecond), took[keys-1].Round(100*time.Microsecond))
	m.report("key to screen, 99th percentile", took[keys*99/100], 33*time.Millisecond)
	return nil
}

func (m *measure) filter(t *terminal) error {
	if _, err := t.press("/needl", func(s string) bool { return strings.Contains(s, "filter: needl") }); err != nil {
		return err
	}
	d, err := t.press("e", func(s string) bool { // every thousandth frame holds it
		rows := listed.FindAllStringSubmatch(s, 2)
		if !strings.Contains(s, "Wire /needle") || len(rows) < 2 {
			return false
		}
		a, _ := strconv.Atoi(rows[0][1])
		b, _ := strconv.Atoi(rows[1][1])
		return b-a == 1000
	})
	if err != nil {
		return err
	}
	m.report("filter over all frames, first rows", d, 100*time.Millisecond)
	return nil
}

// large calls a tool with a large result and scrolls in it.
func (m *measure) large(tool string, limit time.Duration, megabytes int) error {
	dir, err := os.MkdirTemp("", "scale-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	log := filepath.Join(dir, "log")
	t, err := m.begin(tool, "SCALE_LOG="+log)
	if err != nil {
		return err
	}
	defer t.close()
	at, err := t.until("the result", func(s string) bool {
		return strings.Contains(s, "All work") || strings.Contains(s, "Ada Lovelace") || strings.Contains(s, `"rows"`)
	})
	if err != nil {
		return err
	}
	left, err := leftAt(log, tool)
	if err != nil {
		return err
	}
	m.report(tool+": from the last byte to the screen", at.Sub(left), limit)
	use := t.takes()
	fmt.Printf("%s: %v\n", tool, use)
	if megabytes > 0 && use.peak > megabytes*1024 {
		fmt.Printf("%s: MISSED: at most %d MB were due\n", tool, megabytes)
		m.missed = true
	}
	return m.scroll(t, tool)
}

// scroll pages through the result, the JSON and the bytes.
func (m *measure) scroll(t *terminal, tool string) error {
	for _, room := range []struct{ name, keys, shows string }{
		{"result", "+", "Result"}, // the pane alone
		{"JSON", "_4+", "jsonrpc"},
		{"bytes", " ", "jsonrpc"},
	} {
		opened, err := t.press(room.keys, func(s string) bool { return strings.Contains(s, room.shows) })
		if err != nil {
			return err
		}
		var took []time.Duration
		for _, key := range append(slices.Repeat([]string{"\x1b[6~"}, 30), "\x1b[5~", "\x1b[5~", "G", "\x1b[5~", "g") {
			if s := t.text(); !strings.Contains(s, "more below") && !strings.Contains(s, "more above") {
				break // all of it is on the screen
			}
			t.still() // or two keys share a frame, and one up takes one down back
			before := t.text()
			d, err := t.press(key, func(s string) bool { return s != before })
			if err != nil {
				return fmt.Errorf("%s: %w", room.name, err)
			}
			took = append(took, d)
		}
		if took == nil {
			continue
		}
		slices.Sort(took)
		fmt.Printf("%s: %s opened in %v, a page in %v (median)\n", tool, room.name, opened.Round(time.Millisecond), took[len(took)/2].Round(100*time.Microsecond))
		m.report(tool+": "+room.name+", slowest page", took[len(took)-1], 100*time.Millisecond)
	}
	fmt.Printf("%s: after scrolling %v\n", tool, t.takes())
	return nil
}

// leftAt reads when the server had sent a result.
func leftAt(log, what string) (time.Time, error) {
	for range 100 {
		raw, _ := os.ReadFile(log)
		for _, line := range strings.Split(string(raw), "\n") {
			if rest, ok := strings.CutPrefix(line, what+" "); ok {
				n, err := strconv.ParseInt(rest, 10, 64)
				return time.Unix(0, n), err
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	return time.Time{}, fmt.Errorf("the server did not note when the result had left")
}
