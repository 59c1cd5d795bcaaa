package trace

import (
	"errors"
	"fmt"

	"mcptui/client/position"
)

// ErrNotRecording is wrapped by the error about a file that is none.
var ErrNotRecording = errors.New("this is not a recording of mcptui")

// Damage is why a recording cannot be read from some place on.
type Damage struct {
	Line, Column int // from 1, columns in characters
	Err          error
}

func (d *Damage) Error() string {
	return fmt.Sprintf("line %d, column %d: %v", d.Line, d.Column, d.Err)
}

func (d *Damage) Unwrap() error { return d.Err }

// damageAt is damage of line n, whose bytes are data, at an offset into them.
func damageAt(n int, data []byte, offset int, format string, args ...any) *Damage {
	_, column := position.Of(data, offset)
	return &Damage{n, column, fmt.Errorf(format, args...)}
}

// noHeading is why the first line of a file is no heading that can be read on
// from, nil where it is one. Failed is what decoding it into head gave.
func noHeading(first []byte, head heading, failed error) error {
	fault := position.Because(first, failed)
	switch {
	case position.End(first) == 0:
		return damageAt(1, first, 0, "the file is empty: %w", ErrNotRecording)
	case head.Recording != 0 && head.Recording != recordingVersion: // whatever else it may say
		return damageAt(1, first, position.Member(first, "mcptui-recording"),
			"the recording is of format %d, and this mcptui reads format %d; open it with the version that wrote it", head.Recording, recordingVersion)
	case fault != nil:
		return damageAt(1, first, fault.Offset, "%w, or its first line is damaged: %w", ErrNotRecording, fault)
	case head.Recording == 0:
		return damageAt(1, first, 0, "%w (its first line would say so)", ErrNotRecording)
	}
	return nil
}

// noEvent is why line n, on which decoding gave failed, is not the event that is
// due.
func noEvent(n int, data []byte, due, is int, failed error, ended bool) error {
	fault := position.Because(data, failed)
	switch {
	case fault == nil:
		return damageAt(n, data, position.Member(data, "seq"), "event %d stands where event %d is due; %d events could be read", is, due, due-1)
	case ended && fault.Offset == position.End(data):
		return damageAt(n, data, fault.Offset, "the recording is cut off here (%w); %d events could be read", fault, due-1)
	}
	return damageAt(n, data, fault.Offset, "this is no event (%w); %d events could be read", fault, due-1)
}
