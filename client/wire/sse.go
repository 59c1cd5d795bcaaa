package wire

import (
	"bytes"
	"strconv"
)

// sseBlock is one stretch of an event stream: an event, or what stood between
// two of them. Raw is all of it, so the blocks of a stream add up to the stream.
type sseBlock struct {
	Raw   []byte
	Data  []byte // the data lines, joined
	Event string // its type, "" where none was given
	Start int    // of the data within Raw, where it is one stretch of it
	End   int
	Apart bool // the data is not one stretch of Raw
	Fresh bool // a data field was there, if only an empty one
	Size  int  // full length where Raw was cut, else 0
	Cut   bool // the stream ended inside it
}

// sseParser reads an event stream as the WHATWG HTML standard says (section
// "Server-sent events"), and keeps every byte.
type sseParser struct {
	max     int // longest block, in bytes
	handle  func(sseBlock)
	LastID  string // of the last event that was complete and had one
	RetryMS int    // what the server asked for, 0 for nothing

	raw       []byte
	size      int // of the block so far, more than len(raw) once it is too long
	lineStart int // in raw
	lineLen   int
	afterCR   bool // a line ended with CR: should LF follow, it belongs to that end
	owed      bool // as before, but the line has not been looked at yet
	crlf      bool // the stream has used CRLF
	begun     bool // a byte of the stream has come
	fields    int  // lines of the block that are neither comments nor blank
	block     sseBlock
	parts     int // data lines so far
	id        *string
}

// feed takes the next bytes of the stream.
func (p *sseParser) feed(data []byte) {
	if len(data) > 0 && (p.afterCR || p.owed) {
		if data[0] == '\n' { // the rest of a CRLF
			p.keep(data[:1])
			data = data[1:]
			p.crlf = true
			if !p.owed {
				p.lineStart, p.lineLen = len(p.raw), 0
			}
		}
		if p.owed {
			p.endLine()
		}
		p.afterCR, p.owed = false, false
	}
	for len(data) > 0 {
		end := lineEnd(data)
		if end < 0 {
			p.keep(data)
			p.lineLen += len(data)
			return
		}
		p.lineLen += end
		width := 1
		if data[end] == '\r' {
			switch {
			case end+1 < len(data) && data[end+1] == '\n':
				width, p.crlf = 2, true
			case end+1 < len(data):
			case p.crlf: // its other half is sure to come
				p.owed = true
			default: // an event must not wait for what may never come
				p.afterCR = true
			}
		}
		p.keep(data[:end+width])
		data = data[end+width:]
		if !p.owed {
			p.endLine()
		}
	}
}

func lineEnd(data []byte) int {
	lf := bytes.IndexByte(data, '\n')
	if lf < 0 {
		return bytes.IndexByte(data, '\r')
	}
	if cr := bytes.IndexByte(data[:lf], '\r'); cr >= 0 {
		return cr
	}
	return lf
}

func (p *sseParser) keep(data []byte) {
	p.size += len(data)
	if p.size > p.max {
		head := headOf(p.max)
		if len(p.raw) > head {
			p.raw = bytes.Clone(p.raw[:head])
		}
		if room := head - len(p.raw); room > 0 {
			p.raw = append(p.raw, data[:min(room, len(data))]...)
		}
		return
	}
	if need := len(p.raw) + len(data); need > cap(p.raw) {
		p.raw = grow(p.raw, need)
	}
	p.raw = append(p.raw, data...)
}

func (p *sseParser) endLine() {
	start, length := p.lineStart, p.lineLen
	defer func() { p.lineStart, p.lineLen = len(p.raw), 0 }()
	if !p.begun {
		p.begun = true
		if bytes.HasPrefix(p.raw[min(start, len(p.raw)):], []byte("\xef\xbb\xbf")) {
			start, length = start+3, length-3
		}
	}
	if length <= 0 {
		if p.fields > 0 {
			p.dispatch(false)
		}
		return // a blank line between events leads the next block
	}
	end := min(start+length, len(p.raw))
	if start >= end { // cut away
		p.fields++
		return
	}
	line := p.raw[start:end]
	if line[0] == ':' {
		if p.fields == 0 {
			p.dispatch(false) // a sign of life, told at once
		}
		return
	}
	p.fields++
	name, value, _ := bytes.Cut(line, []byte(":"))
	valueStart := start + len(name) + 1
	if len(value) > 0 && value[0] == ' ' {
		value = value[1:]
		valueStart++
	}
	switch string(name) {
	case "data":
		p.addData(value, min(valueStart, end), end)
	case "event":
		p.block.Event = string(value)
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			id := string(value)
			p.id = &id
		}
	case "retry":
		if n, err := strconv.ParseUint(string(value), 10, 31); err == nil {
			p.RetryMS = int(n)
		}
	}
}

func (p *sseParser) addData(value []byte, start, end int) {
	p.parts++
	p.block.Fresh = true
	if p.parts == 1 {
		p.block.Start, p.block.End = start, end
		return
	}
	if p.parts == 2 {
		p.block.Data = append([]byte(nil), p.raw[min(p.block.Start, len(p.raw)):min(p.block.End, len(p.raw))]...)
		p.block.Apart = true
	}
	p.block.Data = append(append(p.block.Data, '\n'), value...)
}

func (p *sseParser) dispatch(cut bool) {
	b := p.block
	b.Raw, b.Cut = p.raw, cut
	if cap(b.Raw) > len(b.Raw)+len(b.Raw)/2 {
		b.Raw = bytes.Clone(b.Raw)
	}
	if p.size > len(p.raw) {
		b.Size = p.size
	}
	if b.Fresh && !b.Apart {
		b.Start, b.End = min(b.Start, len(b.Raw)), min(b.End, len(b.Raw))
		b.Data = b.Raw[b.Start:b.End:b.End]
	}
	if p.id != nil && !cut {
		p.LastID = *p.id
	}
	p.raw, p.size, p.fields, p.parts, p.id, p.block = nil, 0, 0, 0, nil, sseBlock{}
	p.lineStart, p.lineLen = 0, 0
	p.handle(b)
}

// end tells that the stream has ended. What is left is handed over as cut: the
// standard says that an event without its blank line is discarded.
func (p *sseParser) end() {
	if p.size == 0 {
		return
	}
	if p.lineLen > 0 || p.owed {
		p.owed = false
		p.endLine()
	}
	if p.size > 0 {
		p.dispatch(len(bytes.Trim(p.raw, "\r\n")) > 0)
	}
}
