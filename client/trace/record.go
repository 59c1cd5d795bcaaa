package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// heading is the first line of a recording.
type heading struct {
	Recording int       `json:"mcptui-recording"` // version of the format
	Start     time.Time `json:"start,omitzero"`
	Note      string    `json:"note,omitzero"`
}

const recordingVersion = 1

// Recorder writes a recording: JSON Lines, a heading and then one event a line,
// with secrets masked. It is not safe for use by several goroutines.
type Recorder struct {
	Start time.Time // wall clock at session time 0, for the heading; set it before the first Write

	w    *bufio.Writer
	mask *masker
	head bool
}

// NewRecorder returns a recorder that writes to w. What it wrote is complete up
// to the last Write, so that a recording survives the end of the program.
func NewRecorder(w io.Writer, mask Mask) *Recorder {
	return &Recorder{w: bufio.NewWriter(w), mask: newMasker(mask)}
}

// Write writes one event. Events must come in their order.
func (r *Recorder) Write(e Event) error { return r.WriteAll([]Event{e}) }

// WriteAll writes events in one go.
func (r *Recorder) WriteAll(events []Event) error {
	if !r.head {
		r.head = true
		data, err := json.Marshal(heading{Recording: recordingVersion, Start: r.Start})
		if err == nil {
			_, err = r.w.Write(append(data, '\n'))
		}
		if err != nil {
			return fmt.Errorf("write the recording: %w", err)
		}
	}
	for _, e := range events {
		err := writeEvent(r.w, r.mask.event(e))
		if err == nil {
			err = r.w.WriteByte('\n')
		}
		if err != nil {
			return fmt.Errorf("write the recording: %w", err)
		}
	}
	if err := r.w.Flush(); err != nil {
		return fmt.Errorf("write the recording: %w", err)
	}
	return nil
}

// ReadRecording reads the events of a recording, as OpenRecording does.
func ReadRecording(from io.Reader) ([]Event, error) {
	rec, err := OpenRecording(from)
	return rec.Events, err
}

// Recording is a recording that was read.
type Recording struct {
	Start  time.Time // wall clock at session time 0, zero where the recording does not say
	Events []Event
}

// OpenRecording reads a recording. Where it is cut off or damaged, the events
// before the damage are returned together with a [*Damage] that names the place.
func OpenRecording(from io.Reader) (Recording, error) {
	var head heading
	events, err := readRecording(from, &head)
	return Recording{head.Start, events}, err
}

func readRecording(from io.Reader, head *heading) ([]Event, error) {
	in := bufio.NewReaderSize(from, 1<<16)
	first, err := readLine(in)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read the recording: %w", err)
	}
	failed := json.Unmarshal(first, head)
	if err := noHeading(first, *head, failed); err != nil {
		return nil, err
	}
	var events []Event
	for n := 2; ; n++ {
		data, err := readLine(in)
		if err != nil && !errors.Is(err, io.EOF) {
			return events, fmt.Errorf("line %d: read the recording: %w", n, err)
		}
		ended := errors.Is(err, io.EOF)
		if len(bytes.TrimSpace(data)) > 0 {
			e, err := decode(data)
			if due := len(events) + 1; err != nil || e.Seq != due {
				return events, noEvent(n, data, due, e.Seq, err, ended)
			}
			events = append(events, e)
		}
		if ended {
			return events, nil
		}
	}
}

// readLine reads a line of any length.
func readLine(in *bufio.Reader) ([]byte, error) {
	var whole []byte
	for {
		part, err := in.ReadSlice('\n')
		if whole == nil && !errors.Is(err, bufio.ErrBufferFull) {
			return part, err
		}
		whole = append(whole, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return whole, err
		}
	}
}

// Extract returns the events that keep accepts, as a recording of their own:
// numbered anew, with the links between them following. A link to an event that
// was left out becomes none. Times stay.
func Extract(events []Event, keep func(Event) bool) []Event {
	moved := map[int]int{}
	var out []Event
	for _, e := range events {
		if !keep(e) {
			continue
		}
		moved[e.Seq] = len(out) + 1
		e.Seq = len(out) + 1
		if f := e.Frame; f != nil {
			e.Frame = &Frame{Dir: f.Dir, Exchange: f.Exchange, Bytes: f.Bytes, Pre: f.Pre, Post: f.Post, Wire: f.Wire, Size: f.Size, Cause: f.Cause}
			e.Frame.Cause.Retries, e.Frame.Cause.Answers = moved[f.Cause.Retries], moved[f.Cause.Answers]
		}
		if a := e.Act; a != nil && a.Ask.Frame != 0 {
			act := *a
			if act.Ask.Frame = moved[a.Ask.Frame]; act.Ask.Frame == 0 {
				act.Ask = AskID{}
			}
			e.Act = &act
		}
		out = append(out, e)
	}
	return out
}
