package session

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"mcptui/client/rpc"
	"mcptui/client/trace"
)

// Rows are the events as lines of the wire view, in their order: one an event,
// numbered as the events are. They are kept packed, in stretches without a
// pointer that the collector would have to follow, and only up to a bound of
// bytes: beyond it the oldest are given up, but for those that calls and the
// opening of the connection refer to. The log still has the events of all.
type Rows struct {
	count   int
	chunks  []*chunk // nil where given up: always the first ones
	gone    int      // chunks given up
	bytes   int      // of the chunks that are kept
	bound   int
	lasting map[int]Row // of what was given up
	words   map[string]uint32
	named   []string // words by their number
}

const (
	chunkRows = 1024
	packedRow = 128      // bytes of a packed row, roughly
	rowBytes  = 24 << 20 // kept unless Bound says otherwise: about 150,000 rows of a chatty server
	mostWords = 4096     // that are kept once for all rows
	wordBytes = 64       // the longest of them
	textBytes = 1024     // that a row keeps of each of its texts
)

// chunk is a stretch of rows.
type chunk struct {
	rows []packed
	text []byte // of the rows, one after the other
	all  string // the same once the chunk is full, so that a row takes no copy
}

// packed is a row without its number.
type packed struct {
	at, took                            time.Duration
	size, code                          int
	pair, call, round, exchange, status int32
	part, dir, kind, why                ref
	id, method, name, said, problem     ref
}

// ref is a text: a word by its number, or a stretch of the chunk's text.
type ref struct {
	at uint32
	n  uint16
}

const isWord = 0xffff

// Len is the number of rows, and so of the last event.
func (r *Rows) Len() int { return r.count }

// Bound says how many bytes of rows are kept.
func (r *Rows) Bound(bytes int) { r.bound = bytes }

// Whole is the first row from which on all are kept.
func (r *Rows) Whole() int { return r.gone*chunkRows + 1 }

// Row returns the row of an event. One that was given up has its number only,
// and says so; where there is none of that number the row is empty.
func (r *Rows) Row(seq int) Row {
	if seq < 1 || seq > r.count {
		return Row{}
	}
	i := seq - 1
	c := r.chunks[i/chunkRows]
	if c == nil {
		if row, ok := r.lasting[seq]; ok {
			return row
		}
		return Row{Seq: seq, Gone: true}
	}
	return r.unpack(seq, c)
}

// All gives the rows that are kept, in their order.
func (r *Rows) All() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for _, seq := range slices.Sorted(maps.Keys(r.lasting)) {
			if !yield(r.lasting[seq]) {
				return
			}
		}
		for seq := r.Whole(); seq <= r.count; seq++ {
			if !yield(r.Row(seq)) {
				return
			}
		}
	}
}

// Backward gives them from the newest on.
func (r *Rows) Backward() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for seq := r.count; seq >= r.Whole(); seq-- {
			if !yield(r.Row(seq)) {
				return
			}
		}
		lasting := slices.Sorted(maps.Keys(r.lasting))
		for _, seq := range slices.Backward(lasting) {
			if !yield(r.lasting[seq]) {
				return
			}
		}
	}
}

// add appends the row of the next event.
func (r *Rows) add(row Row) {
	if r.count%chunkRows == 0 {
		r.seal()
		r.chunks = append(r.chunks, &chunk{rows: make([]packed, 0, chunkRows)})
	}
	c := r.chunks[len(r.chunks)-1]
	before := len(c.text)
	c.rows = append(c.rows, packed{
		at: row.At, took: row.Took, size: row.Size,
		pair: int32(row.Pair), call: int32(row.Call), round: int32(row.Round),
		exchange: int32(row.Exchange), status: int32(row.Status), code: row.Code,
		part: r.word(c, string(row.Part)), dir: r.word(c, string(row.Dir)), kind: r.word(c, string(row.Kind)), why: r.word(c, string(row.Why)),
		method: r.word(c, row.Method), name: r.word(c, row.Name), problem: r.word(c, row.Problem),
		id: c.put(string(row.ID)), said: c.put(row.Text),
	})
	r.count++
	r.bytes += packedRow + len(c.text) - before
	bound := r.bound
	if bound == 0 {
		bound = rowBytes
	}
	for r.bytes > bound && r.gone < len(r.chunks)-1 {
		r.giveUp()
	}
}

// seal ends the newest chunk.
func (r *Rows) seal() {
	if len(r.chunks) > 0 {
		c := r.chunks[len(r.chunks)-1]
		c.all, c.text = string(c.text), nil
	}
}

// giveUp drops the oldest chunk, but for what lasts.
func (r *Rows) giveUp() {
	c := r.chunks[r.gone]
	first := r.gone*chunkRows + 1
	exchanges := map[int]bool{} // that carried what lasts
	for i := range c.rows {
		if row := r.unpack(first+i, c); row.lasts() && row.Exchange != 0 {
			exchanges[row.Exchange] = true
		}
	}
	if r.lasting == nil {
		r.lasting = map[int]Row{}
	}
	for i := range c.rows {
		row := r.unpack(first+i, c)
		if row.lasts() || row.Part == PartHTTP && exchanges[row.Exchange] {
			row.Text, row.Name, row.ID, row.Problem = strings.Clone(row.Text), strings.Clone(row.Name), rpc.ID(strings.Clone(string(row.ID))), strings.Clone(row.Problem)
			r.lasting[row.Seq] = row
		}
	}
	r.bytes -= len(c.rows)*packedRow + len(c.all)
	r.chunks[r.gone] = nil
	r.gone++
}

// lasts reports whether something refers to a row for as long as the session
// lasts: what a call consists of, how the connection was opened, a request that
// waits for its answer.
func (r *Row) lasts() bool {
	switch {
	case r.Why == trace.WhyProbe || r.Why == trace.WhyInitialize:
		return true
	case r.Part == PartFrame && r.Kind == rpc.Request && r.Pair == 0 && r.Dir == trace.Out:
		return true
	case r.Part == PartFrame:
		return r.Call != 0 && (r.Kind != rpc.Notification || r.Dir == trace.Out)
	}
	return r.Part == PartHTTP && r.Call != 0
}

// pair notes the answer of a request.
func (r *Rows) pair(request, answer int) {
	i := request - 1
	if c := r.chunks[i/chunkRows]; c != nil {
		c.rows[i%chunkRows].pair = int32(answer)
		return
	}
	if row, ok := r.lasting[request]; ok {
		if row.Pair = answer; !row.lasts() {
			delete(r.lasting, request)
			return
		}
		r.lasting[request] = row
	}
}

// disown takes a row out of its call, which does not refer to it any more.
func (r *Rows) disown(seq int) {
	if i := seq - 1; r.chunks[i/chunkRows] != nil {
		p := &r.chunks[i/chunkRows].rows[i%chunkRows]
		p.call, p.round = 0, 0
		return
	}
	delete(r.lasting, seq)
}

func (r *Rows) unpack(seq int, c *chunk) Row {
	p := &c.rows[(seq-1)%chunkRows]
	return Row{
		Seq: seq, At: p.at, Took: p.took, Size: p.size, Pair: int(p.pair), Call: int(p.call), Round: int(p.round),
		Exchange: int(p.exchange), Status: int(p.status), Code: p.code,
		Part: Part(r.read(c, p.part)), Dir: trace.Dir(r.read(c, p.dir)), Kind: rpc.Kind(r.read(c, p.kind)), Why: trace.Why(r.read(c, p.why)),
		Method: r.read(c, p.method), Name: r.read(c, p.name), Problem: r.read(c, p.problem),
		ID: rpc.ID(r.read(c, p.id)), Text: r.read(c, p.said),
	}
}

// word keeps a text that many rows share once for all.
func (r *Rows) word(c *chunk, s string) ref {
	if s == "" {
		return ref{}
	}
	if n, ok := r.words[s]; ok {
		return ref{n, isWord}
	}
	if len(s) > wordBytes || len(r.named) >= mostWords {
		return c.put(s)
	}
	if r.words == nil {
		r.words = map[string]uint32{}
	}
	s = strings.Clone(s)
	n := uint32(len(r.named))
	r.words[s] = n
	r.named = append(r.named, s)
	return ref{n, isWord}
}

func (c *chunk) put(s string) ref {
	if len(s) > textBytes {
		s = s[:textBytes]
	}
	at := uint32(len(c.text))
	c.text = append(c.text, s...)
	return ref{at, uint16(len(s))}
}

func (r *Rows) read(c *chunk, f ref) string {
	switch {
	case f.n == isWord:
		return r.named[f.at]
	case f.n == 0:
		return ""
	case c.text == nil:
		return c.all[f.at : f.at+uint32(f.n)]
	}
	return string(c.text[f.at : f.at+uint32(f.n)])
}
