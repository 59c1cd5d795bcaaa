// Command misbehaving runs the real binary against servers that misbehave and
// judges what it says, how it exits, and that it leaves no process behind. It is
// a test by hand or for a machine that has Node; its Go twins run in go test.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
)

func main() {
	var r runner
	var pattern string
	flag.StringVar(&r.binary, "binary", "", "mcptui to run")
	flag.StringVar(&r.servers, "servers", "", "folder of the servers")
	flag.StringVar(&pattern, "run", "", "regular expression that chooses cases by name")
	flag.BoolVar(&r.verbose, "v", false, "print what every command said")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, r, pattern))
}

func run(ctx context.Context, r runner, pattern string) int {
	chosen, err := regexp.Compile(pattern)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	if r.work, err = os.MkdirTemp("", "misbehaving"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer os.RemoveAll(r.work)
	passed, failed := 0, 0
	for _, c := range cases {
		if ctx.Err() != nil {
			fmt.Fprintln(os.Stderr, "interrupted")
			return 130
		}
		if !chosen.MatchString(c.name()) {
			continue
		}
		file, err := r.file(c.server)
		if err != nil {
			fmt.Printf("%-44s skipped: %v\n", c.name(), err)
			continue
		}
		took, wrong := r.run(ctx, file, c)
		verdict := "ok"
		if passed++; len(wrong) > 0 {
			passed--
			failed++
			verdict = "FAILED"
		}
		fmt.Printf("%-44s code %-4d %5.1fs  %s\n", c.name(), c.code, took.Seconds(), verdict)
		for _, w := range wrong {
			fmt.Println("    " + w)
		}
	}
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if failed > 0 || passed == 0 {
		return 1
	}
	return 0
}

// file is the server whose name begins with a number.
func (r *runner) file(number string) (string, error) {
	found, err := filepath.Glob(filepath.Join(r.servers, number+"-*.mjs"))
	if err != nil || len(found) != 1 {
		return "", fmt.Errorf("%s holds no one server %s-*.mjs", r.servers, number)
	}
	return found[0], nil
}
