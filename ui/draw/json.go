package draw

import (
	"strings"

	"mcptui/ui/text"
)

// How much of a document [JSON] lays out before it stops.
const (
	longString = 2000 // bytes of one string that are shown
	deepest    = 30   // levels that get an indent of their own
)

// JSON lays a JSON document out as coloured lines, two columns a level, and
// says whether maxLines (0: no limit) cut it short. Numbers stand as they were
// written, members in their order. What is not JSON is shown as it is, from
// where it stops being so, and nothing is an error: this is how a debugger
// shows what came.
func JSON(raw []byte, theme *Theme, maxLines int) (lines []Line, more bool) {
	p := &jsonPrinter{src: raw, t: theme, max: maxLines}
	p.value()
	p.blank()
	if p.at < len(p.src) && !p.full {
		p.tail()
	}
	if len(p.lines) == 0 || strings.TrimSpace(p.cur.Plain()) != "" {
		p.end()
	}
	return p.lines, p.full
}

// jsonPrinter walks tokens with a stack of its own, so that depth costs no
// goroutine stack.
type jsonPrinter struct {
	src   []byte
	at    int
	t     *Theme
	max   int
	lines []Line
	cur   Line
	stack []byte // the open { and [
	full  bool
}

func (p *jsonPrinter) value() {
	for !p.full {
		p.blank()
		if p.at >= len(p.src) {
			return
		}
		switch c := p.src[p.at]; c {
		case '{', '[':
			p.at++
			p.blank()
			if p.at < len(p.src) && p.src[p.at] == c+2 {
				p.put(p.t.Punct, string([]byte{c, c + 2}))
				p.at++
				break
			}
			p.put(p.t.Punct, string(c))
			p.stack = append(p.stack, c)
			p.newline()
			continue
		case '"':
			p.str()
		default:
			if !p.word() {
				return
			}
		}
		if !p.after() {
			return
		}
	}
}

// after handles what may follow a value; it returns false where the document
// has ended or is broken.
func (p *jsonPrinter) after() bool {
	for !p.full {
		p.blank()
		if p.at >= len(p.src) || len(p.stack) == 0 {
			return false
		}
		open := p.stack[len(p.stack)-1]
		switch c := p.src[p.at]; {
		case c == ',':
			p.at++
			p.put(p.t.Punct, ",")
			p.newline()
			return true
		case c == ':' && open == '{':
			p.at++
			p.name()
			return true
		case c == open+2:
			p.at++
			p.stack = p.stack[:len(p.stack)-1]
			p.newline()
			p.put(p.t.Punct, string(c))
		default:
			return false
		}
	}
	return false
}

// name makes a name of the string just written, now that its colon came.
func (p *jsonPrinter) name() {
	if n := len(p.cur); n > 0 && p.cur[n-1].Style.Equal(&p.t.String) {
		p.cur[n-1].Style = p.t.Name
	}
	p.put(p.t.Punct, ": ")
}

func (p *jsonPrinter) str() {
	start := p.at
	p.at++
	for p.at < len(p.src) && p.src[p.at] != '"' {
		if p.src[p.at] == '\\' {
			p.at++
		}
		p.at++
	}
	p.at = min(p.at+1, len(p.src))
	s := string(p.src[start:min(p.at, start+longString)])
	p.put(p.t.String, text.CleanLine(s))
	if p.at-start > longString {
		p.put(p.t.Faint, Cut+text.Size(int64(p.at-start))+")")
	}
}

// word takes a number or one of the three words, and returns false for
// anything else.
func (p *jsonPrinter) word() bool {
	start := p.at
	for p.at < len(p.src) && strings.IndexByte("+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", p.src[p.at]) >= 0 {
		p.at++
	}
	w := string(p.src[start:p.at])
	switch {
	case w == "":
		return false
	case w == "true", w == "false", w == "null":
		p.put(p.t.Word, w)
	case w[0] == '-' || w[0] >= '0' && w[0] <= '9':
		p.put(p.t.Number, w)
	default:
		p.at = start
		return false
	}
	return true
}

// tail shows what could not be read as JSON.
func (p *jsonPrinter) tail() {
	end := min(len(p.src), p.at+longString)
	for i, s := range strings.Split(text.Clean(string(p.src[p.at:end])), "\n") {
		if i > 0 {
			p.end()
		}
		p.put(p.t.Bad, s)
	}
	if n := len(p.src) - end; n > 0 {
		p.put(p.t.Faint, Cut+text.Size(int64(n))+" more)")
	}
	p.at = len(p.src)
}

func (p *jsonPrinter) blank() {
	for p.at < len(p.src) && strings.IndexByte(" \t\r\n", p.src[p.at]) >= 0 {
		p.at++
	}
}

func (p *jsonPrinter) put(st Style, s string) {
	if s != "" {
		p.cur = append(p.cur, Run{s, st})
	}
}

func (p *jsonPrinter) newline() {
	p.end()
	p.put(Style{}, strings.Repeat("  ", min(len(p.stack), deepest)))
}

func (p *jsonPrinter) end() {
	if p.max > 0 && len(p.lines) >= p.max {
		p.full = true
		return
	}
	p.lines = append(p.lines, p.cur)
	p.cur = nil
}

// Cut is how the mark begins that [JSON] puts behind a string that it shows in part.
const Cut = "… ("
