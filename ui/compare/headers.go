package compare

import (
	"net/textproto"
	"strconv"
	"strings"

	"mcptui/client/trace"
)

// quietHeaders differ from exchange to exchange.
var quietHeaders = map[string]bool{"Date": true, "Content-Length": true, "Age": true, "Etag": true, "X-Request-Id": true}

// fields are headers by their canonical name, in their order.
type fields struct {
	names  []string
	values map[string]string // as sent
	shown  map[string]string // with secrets masked
}

func read(headers []trace.Header) fields {
	f := fields{values: map[string]string{}, shown: map[string]string{}}
	masked := trace.MaskHeaders(headers)
	for i, h := range headers {
		name := textproto.CanonicalMIMEHeaderKey(h.Name)
		if _, ok := f.values[name]; !ok {
			f.names = append(f.names, name)
			f.values[name], f.shown[name] = h.Value, masked[i].Value
			continue
		}
		f.values[name] += ", " + h.Value
		f.shown[name] += ", " + masked[i].Value
	}
	return f
}

// exchanged is one HTTP exchange.
type exchanged struct {
	url       string
	status    int
	sent, got fields
}

func (d *differ) exchange(seqs []int) exchanged {
	var x exchanged
	for _, seq := range seqs {
		e, ok := d.log.Event(seq)
		if !ok || e.HTTP == nil {
			continue
		}
		switch e.HTTP.Stage {
		case trace.HTTPRequest:
			x.url, x.sent = trace.MaskURL(e.HTTP.URL), read(e.HTTP.Headers)
		case trace.HTTPResponse:
			x.status, x.got = e.HTTP.Status, read(e.HTTP.Headers)
		}
	}
	return x
}

func (d *differ) headers(a, b roundFacts) {
	if len(a.http) == 0 && len(b.http) == 0 {
		return
	}
	x, y := d.exchange(a.http), d.exchange(b.http)
	d.words(d.prefix+"http", "URL", x.url, y.url, false)
	d.words(d.prefix+"http", "status", number(x.status), number(y.status), false)
	d.fields(d.prefix+"headers sent", x.sent, y.sent)
	d.fields(d.prefix+"headers got", x.got, y.got)
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func (d *differ) fields(group string, a, b fields) {
	told := map[string]bool{}
	for _, name := range append(append([]string(nil), a.names...), b.names...) {
		before, after := a.values[name], b.values[name]
		if before == after || told[name] {
			continue
		}
		told[name] = true
		shownBefore, shownAfter := a.shown[name], b.shown[name]
		if shownBefore == shownAfter { // two secrets: that they differ may be told
			shownAfter = strings.TrimSpace(shownAfter + " (another one)")
		}
		d.words(group, name, shownBefore, shownAfter, quietHeaders[name])
	}
}
