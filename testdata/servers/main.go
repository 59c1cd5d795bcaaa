// Command servers runs the real binary against real servers and prints a table:
// server, era, why, and passed or what failed. It is a test by hand, or for a
// machine that may install what run.sh installs.
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
	var required bool
	flag.StringVar(&r.binary, "binary", "", "mcptui to run")
	flag.StringVar(&r.cache, "cache", "", "folder that the servers are installed in")
	flag.StringVar(&pattern, "run", "", "regular expression that chooses servers by name")
	flag.BoolVar(&required, "required", false, "a server that is not installed is a failure")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, r, pattern, required))
}

func run(ctx context.Context, r runner, pattern string, required bool) int {
	chosen, err := regexp.Compile(pattern)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	if r.work, err = os.MkdirTemp("", "servers"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer os.RemoveAll(r.work)
	r.answers = filepath.Join(r.work, "answers.yaml")
	if err := os.WriteFile(r.answers, []byte(answers), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	passed, failed, skipped := 0, 0, 0
	for _, s := range servers {
		switch {
		case ctx.Err() != nil:
			fmt.Fprintln(os.Stderr, "interrupted")
			return 130
		case !chosen.MatchString(s.name):
			continue
		case !r.installed(s):
			fmt.Printf("%-34s SKIPPED: it is not installed\n", s.name)
			skipped++
			continue
		}
		result := r.try(ctx, s)
		verdict := fmt.Sprintf("passed %d", result.passed)
		if passed++; len(result.wrong) > 0 {
			passed--
			failed++
			verdict = fmt.Sprintf("FAILED %d of %d", len(result.wrong), result.passed+len(result.wrong))
		}
		fmt.Printf("%-34s %-22s %-16s %s\n", s.name, result.era, verdict, result.why)
		for _, w := range result.wrong {
			fmt.Println("    " + w)
		}
	}
	fmt.Printf("%d servers passed, %d failed, %d skipped\n", passed, failed, skipped)
	if failed > 0 || passed == 0 || required && skipped > 0 {
		return 1
	}
	return 0
}
