package trace

import (
	"encoding/binary"
	"fmt"
	"os"
	"sync"
)

// spill is the file that events go to when memory is full. It is unlinked as
// soon as it is open, where the system lets it be: nothing is left of it even
// after a crash.
type spill struct {
	dir  string
	mu   sync.Mutex // guards file, which readers use without the lock of the log
	file *os.File
	name string // still to be removed, where the system keeps open files
	size int64
	err  error // why it cannot be used any more
}

// place is where an event lies: its description, and behind it the bytes of a
// frame as they are, because a large body should cost no encoding.
type place struct {
	at    int64
	meta  int32
	bytes int32 // -1: none
}

// Bodies above this are written on their own, not copied into a buffer first.
const largeBody = 64 << 10

// write appends events, and behind them a table of their places. It returns where
// the table stands: what lies on disk takes no memory.
func (s *spill) write(events []Event) (at int64, err error) {
	if s.err != nil {
		return 0, s.err
	}
	if s.file == nil {
		if s.err = s.open(); s.err != nil {
			return 0, s.err
		}
	}
	table := make([]byte, 0, len(events)*placeBytes)
	var buffer []byte
	at = s.size
	flush := func() bool {
		if len(buffer) == 0 {
			return true
		}
		_, s.err = s.file.WriteAt(buffer, at)
		at += int64(len(buffer))
		buffer = buffer[:0]
		return s.err == nil
	}
	for _, e := range events {
		body := []byte(nil)
		if f := e.Frame; f != nil {
			body = f.Bytes
			e.Frame = &Frame{Dir: f.Dir, Exchange: f.Exchange, Pre: f.Pre, Post: f.Post, Wire: f.Wire, Size: f.Size, Cause: f.Cause}
		}
		meta, err := encode(e)
		if err != nil {
			s.err = err
			return 0, err
		}
		p := place{at: at + int64(len(buffer)), meta: int32(len(meta)), bytes: int32(len(body))}
		if body == nil {
			p.bytes = -1
		}
		table = p.append(table)
		buffer = append(buffer, meta...)
		if len(body) < largeBody {
			buffer = append(buffer, body...)
			continue
		}
		if !flush() {
			break
		}
		if _, s.err = s.file.WriteAt(body, at); s.err != nil {
			break
		}
		at += int64(len(body))
	}
	start := int64(0)
	if s.err == nil && flush() {
		start, buffer = at, append(buffer, table...)
		flush()
	}
	if s.err != nil {
		s.err = fmt.Errorf("page the log to disk: %w", s.err)
		return 0, s.err
	}
	s.size = at
	return start, nil
}

// placeBytes is the length of a place in the file.
const placeBytes = 16

func (p place) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(p.at))
	b = binary.LittleEndian.AppendUint32(b, uint32(p.meta))
	return binary.LittleEndian.AppendUint32(b, uint32(p.bytes))
}

func readPlace(b []byte) place {
	return place{at: int64(binary.LittleEndian.Uint64(b)), meta: int32(binary.LittleEndian.Uint32(b[8:])), bytes: int32(binary.LittleEndian.Uint32(b[12:]))}
}

func (s *spill) open() error {
	f, err := os.CreateTemp(s.dir, "mcptui-log-*")
	if err != nil {
		return fmt.Errorf("page the log to disk: %w", err)
	}
	s.mu.Lock()
	s.file = f
	s.mu.Unlock()
	if os.Remove(f.Name()) != nil {
		s.name = f.Name()
	}
	return nil
}

// read reads the event whose place stands at an offset.
func (s *spill) read(at int64) (Event, error) {
	s.mu.Lock()
	file := s.file
	s.mu.Unlock()
	if file == nil {
		return Event{}, fmt.Errorf("the log's file is closed")
	}
	var entry [placeBytes]byte
	if _, err := file.ReadAt(entry[:], at); err != nil {
		return Event{}, fmt.Errorf("read the log back from disk: %w", err)
	}
	p := readPlace(entry[:])
	data := make([]byte, int(p.meta)+max(int(p.bytes), 0))
	if _, err := file.ReadAt(data, p.at); err != nil {
		return Event{}, fmt.Errorf("read the log back from disk: %w", err)
	}
	e, err := decode(data[:p.meta])
	if err != nil {
		return Event{}, fmt.Errorf("read the log back from disk: %w", err)
	}
	if e.Frame != nil && p.bytes >= 0 {
		e.Frame.Bytes = data[p.meta:len(data):len(data)]
	}
	return e, nil
}

func (s *spill) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	s.mu.Lock()
	s.file = nil
	s.mu.Unlock()
	if s.name != "" {
		err = os.Remove(s.name)
	}
	if s.err == nil {
		s.err = os.ErrClosed
	}
	return err
}
