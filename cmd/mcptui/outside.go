package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// openURL opens a URL in the person's browser. The browser outlives us.
func openURL(url string) error {
	var cmd *exec.Cmd
	switch runtime.GOOS {
	case "darwin":
		cmd = exec.Command("open", url)
	case "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", url)
	default:
		cmd = exec.Command("xdg-open", url)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("open a browser: %w; copy the URL instead", err)
	}
	return cmd.Process.Release()
}

// externalEditor returns the person's editor on a text, and how to read the
// text back.
func (a *app) externalEditor(text string) (tea.ExecCommand, func() (string, error), error) {
	words := strings.Fields(firstNonEmpty(a.env("VISUAL"), a.env("EDITOR")))
	if len(words) == 0 {
		return nil, nil, errors.New("neither VISUAL nor EDITOR is set")
	}
	f, err := os.CreateTemp("", "mcptui-*.json")
	if err != nil {
		return nil, nil, fmt.Errorf("edit outside: %w", err)
	}
	_, err = io.WriteString(f, text)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("edit outside: %w", err), os.Remove(f.Name()))
	}
	cmd := exec.Command(words[0], append(words[1:], f.Name())...)
	cmd.Env = a.Env
	read := func() (string, error) {
		raw, err := os.ReadFile(f.Name())
		if err = errors.Join(err, os.Remove(f.Name())); err != nil {
			return "", fmt.Errorf("read the edited text back: %w", err)
		}
		return string(raw), nil
	}
	return &editing{cmd}, read, nil
}

// editing is an editor as Bubble Tea runs it.
type editing struct{ *exec.Cmd }

func (e *editing) SetStdin(r io.Reader)  { e.Stdin = r }
func (e *editing) SetStdout(w io.Writer) { e.Stdout = w }
func (e *editing) SetStderr(w io.Writer) { e.Stderr = w }
