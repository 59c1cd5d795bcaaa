package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcptui/client/flow"
	"mcptui/client/schema"
	"mcptui/client/trace"
	embeddedserver "mcptui/embedded-server"
)

// flags are those that every command which talks to a server has.
type flags struct {
	url, config, server, profile string

	era, version          string
	probeTimeout, timeout time.Duration
	headers, env          []string
	otherHeaders          []string // of another principal; of the terminal UI only
	cwd                   string
	insecure              bool
	ca                    string
	caps, noCaps          []string
	roots                 []string
	logLevel              string
	record                string
	memory, maxFrame      size
	showSecrets           bool
	maskAnswers           bool
	stateKeys             []string
	sampler               string
	noState, noColor      bool

	json bool
}

// size is a number of bytes that is written with a unit.
type size int64

var units = []struct {
	suffix string
	factor float64
}{{"KB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30}, {"B", 1}, {"", 1}}

func (s *size) String() string {
	switch n := int64(*s); {
	case n >= 1<<30 && n%(1<<30) == 0:
		return fmt.Sprintf("%dGB", n>>30)
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%dMB", n>>20)
	default:
		return fmt.Sprintf("%dB", n)
	}
}

func (s *size) Set(text string) error {
	for _, u := range units {
		number, ok := strings.CutSuffix(strings.ToUpper(text), u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || n <= 0 || n*u.factor > math.MaxInt64/2 || math.IsNaN(n) {
			break
		}
		*s = size(n * u.factor)
		return nil
	}
	return fmt.Errorf("%q is no size; write for example 64MB", text)
}

func (s *size) Type() string { return "SIZE" }

// list is a flag that may be given several times. The one of the library makes a
// writer of CSV for each to say that it is empty, which every start would pay for.
type list []string

func (l *list) Set(text string) error {
	*l = append(*l, text)
	return nil
}

func (l *list) String() string { return strings.Join(*l, " ") }

// Type tells completion that the flag may come again.
func (l *list) Type() string { return "stringArray" }

func repeatable(fl *pflag.FlagSet, to *[]string, name, about string) {
	fl.Var((*list)(to), name, about)
}

// dials adds the flags that name a server and say how to talk to it. They are
// made once, for all commands: of a run, one command reads them.
func (a *app) dials(cmd *cobra.Command) *cobra.Command {
	if a.dialing != nil {
		cmd.Flags().AddFlagSet(a.dialing)
		return cmd
	}
	a.dialing = pflag.NewFlagSet("", pflag.ContinueOnError)
	a.addDialing(a.dialing)
	cmd.Flags().AddFlagSet(a.dialing)
	offer(cmd, "era", eras)
	offer(cmd, "protocol-version", flow.Versions())
	offer(cmd, "profile", embeddedserver.Profiles())
	offer(cmd, "cap", capabilityNames)
	offer(cmd, "no-cap", capabilityNames)
	offer(cmd, "log-level", logLevels)
	return cmd
}

func (a *app) addDialing(fl *pflag.FlagSet) {
	f := &a.flags
	f.memory, f.maxFrame = 256<<20, 256<<20
	fl.StringVar(&f.url, "url", "", "server at this `URL`")
	fl.StringVar(&f.config, "config", "", "take the server from this config `FILE` (mcpServers or servers)")
	fl.StringVar(&f.server, "server", "", "`NAME` of the server in the config file")
	fl.StringVar(&f.profile, "profile", "demo", "`PROFILE` of the built-in server: demo, conformance or faults")
	fl.StringVar(&f.era, "era", "auto", "protocol `ERA`: auto, modern or legacy")
	fl.StringVar(&f.version, "protocol-version", "", "pin one protocol `VERSION`")
	fl.DurationVar(&f.probeTimeout, "probe-timeout", 10*time.Second, "wait this `DURATION` for an answer to server/discover")
	fl.DurationVar(&f.timeout, "timeout", time.Minute, "`DURATION` of each request; time spent waiting for a person does not count")
	repeatable(fl, &f.headers, "header", "HTTP `'Name: value'` (repeatable)")
	repeatable(fl, &f.env, "env", "`K=V` in the environment of a stdio server (repeatable)")
	fl.StringVar(&f.cwd, "cwd", "", "`DIR` that a stdio server starts in")
	fl.BoolVar(&f.insecure, "insecure", false, "do not verify the server's TLS certificate")
	fl.StringVar(&f.ca, "ca", "", "trust the certificates in this `FILE`")
	repeatable(fl, &f.caps, "cap", "declare a client capability `NAME`: "+strings.Join(capabilityNames, ", ")+" (repeatable)")
	repeatable(fl, &f.noCaps, "no-cap", "withhold a client capability `NAME` (repeatable)")
	repeatable(fl, &f.roots, "root", "`URI` of a root to tell the server of (repeatable)")
	fl.StringVar(&f.logLevel, "log-level", "", "ask the server for log messages from this `LEVEL` up")
	fl.StringVar(&f.record, "record", "", "write a recording to this `FILE`")
	fl.Var(&f.memory, "memory", "memory for the log; what is older goes to disk")
	fl.Var(&f.maxFrame, "max-frame", "longest message that is kept whole")
	fl.BoolVar(&f.showSecrets, "show-secrets", false, "do not mask tokens and cookies")
	fl.BoolVar(&f.maskAnswers, "mask-answers", false, "mask arguments, answers and state payloads in recordings")
	repeatable(fl, &f.stateKeys, "state-key", "`KEY` to verify a decoded requestState with: hex:, base64:, text: or @file (repeatable); the first seals on the built-in server, where a key has at least 32 bytes")
	fl.StringVar(&f.sampler, "sampler", "", "`COMMAND` that answers sampling: request on standard input, result or text on standard output")
	fl.BoolVar(&f.noState, "no-state", false, "keep nothing between runs")
	fl.BoolVar(&f.noColor, "no-color", false, "no colours")
}

var (
	eras = []string{"auto", string(trace.Modern), string(trace.Legacy)}
	// logLevels are those of the specification (Logging, "Log Levels").
	logLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
)

// offer completes the values of a flag from a fixed list: completion never
// starts or dials anything.
func offer(cmd *cobra.Command, flag string, values []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // a flag that is not there: a slip in this program
	}
}

// oneOf refuses a value that is not in a flag's list.
func oneOf(flag, value string, values []string) error {
	if slices.Contains(values, value) {
		return nil
	}
	return usagef("--%s %q is none of %s%s", flag, value, strings.Join(values, ", "), schema.DidYouMean(value, values))
}
