package answer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
	"unicode/utf8"
)

// Sampler answers sampling by a command of the user's. The command gets the
// request ({"method":"sampling/createMessage","params":…}) as one line of JSON
// on standard input, and prints a CreateMessageResult, or plain text that is
// made one.
type Sampler struct {
	Command string        // for the shell
	Dir     string        // where it runs; "" for here
	Env     []string      // its whole environment; nil for ours
	Timeout time.Duration // of one answer; 0 for two minutes
	Limit   int           // bytes of output; 0 for 16 MB
}

// ErrSamplerTimeout is that a sampler gave no answer in its time.
var ErrSamplerTimeout = errors.New("no answer in time")

const (
	samplerTimeout = 2 * time.Minute
	samplerLimit   = 16 << 20
	samplerStderr  = 4 << 10
	// samplerGrace is how long output may still come from processes that the
	// command left behind, once it has ended or was killed.
	samplerGrace = 500 * time.Millisecond
)

// Sample runs the command and returns its result. It ends with the context, or
// after Timeout with an [ErrSamplerTimeout], and then takes the command's whole
// process group with it. The error holds the end
// of what the command wrote to standard error.
func (s *Sampler) Sample(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	timeout, limit := s.Timeout, s.Limit
	if timeout <= 0 {
		timeout = samplerTimeout
	}
	if limit <= 0 {
		limit = samplerLimit
	}
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("%w (%s)", ErrSamplerTimeout, timeout))
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)

	request, err := request(params)
	if err != nil {
		return nil, fmt.Errorf("sampler: %w", err)
	}
	out := &capped{limit: limit, full: func() { stop(fmt.Errorf("printed more than %d bytes", limit)) }}
	stderr := &tail{limit: samplerStderr}
	cmd := shell(ctx, s.Command)
	cmd.Dir, cmd.Env = s.Dir, s.Env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(request), out, stderr
	cmd.WaitDelay = samplerGrace
	err = cmd.Run()
	if ctx.Err() != nil || errors.Is(err, exec.ErrWaitDelay) {
		killGroup(cmd) // something of it still holds our pipes
	}
	switch {
	case ctx.Err() != nil:
		return nil, s.failed(context.Cause(ctx), stderr)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return nil, s.failed(err, stderr)
	}
	result, err := sampled(out.kept.Bytes())
	if err != nil {
		return nil, s.failed(err, stderr)
	}
	return result, nil
}

func (s *Sampler) failed(err error, stderr *tail) error {
	if text := stderr.String(); text != "" {
		return fmt.Errorf("sampler %q: %w; it said: %s", s.Command, err, text)
	}
	return fmt.Errorf("sampler %q: %w", s.Command, err)
}

func request(params json.RawMessage) ([]byte, error) {
	if len(params) == 0 {
		params = json.RawMessage(`{}`)
	}
	var line bytes.Buffer
	line.WriteString(`{"method":"` + Sample + `","params":`)
	if err := json.Compact(&line, params); err != nil {
		return nil, fmt.Errorf("params are not JSON: %w", err)
	}
	line.WriteString("}\n")
	return line.Bytes(), nil
}

// sampled makes a result of what the command printed. An object with a role or
// with content is a result and left as it is; anything else is what the model
// said.
func sampled(out []byte) (json.RawMessage, error) {
	out = bytes.TrimSpace(out)
	if len(out) == 0 {
		return nil, errors.New("printed nothing")
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(out, &members) == nil && (members["role"] != nil || members["content"] != nil) {
		var line bytes.Buffer
		if err := json.Compact(&line, out); err != nil {
			return nil, err
		}
		return line.Bytes(), nil
	}
	if !utf8.Valid(out) {
		return nil, errors.New("printed something that is not UTF-8 text")
	}
	return Text(string(out), "", ""), nil
}

// capped keeps what is written up to a limit, and tells when it is passed. The
// buffer is not embedded: its ReadFrom would go round the limit.
type capped struct {
	kept  bytes.Buffer
	limit int
	full  func()
}

func (c *capped) Write(p []byte) (int, error) {
	if c.kept.Len()+len(p) > c.limit {
		c.full()
		return 0, io.ErrShortWrite
	}
	return c.kept.Write(p)
}

// tail keeps the end of what is written.
type tail struct {
	limit int
	kept  []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - t.limit; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	return strings.TrimSpace(strings.ToValidUTF8(string(t.kept), "\uFFFD"))
}
