package wire

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mcptui/client/header"
	"mcptui/client/trace"
)

// HTTP says how to reach a server by its URL.
type HTTP struct {
	URL          string
	Headers      []trace.Header // sent with every request; they replace our own of the same name
	Insecure     bool           // accept any certificate
	CA           []byte         // PEM certificates to trust beside those of the system
	MaxFrame     int            // longest message that is kept whole, in bytes; 0 for 256 MB
	UserAgent    string         // "" for "mcptui"
	EndpointWait time.Duration  // HTTP+SSE: how long to wait for the endpoint event; 0 for 10 s
	Counter      *atomic.Int64  // numbers the exchanges; transports that share a log share it; nil for one of its own
}

// web is what the HTTP transports share: one client that shows every exchange.
type web struct {
	how     HTTP
	emit    Emit
	url     *url.URL
	rt      *http.Transport
	ctx     context.Context // ends when the transport is closed
	stop    context.CancelFunc
	wg      sync.WaitGroup
	dialled conns

	most    int // messages without an answer that may be under way
	untaken atomic.Int64
}

func newWeb(how HTTP, emit Emit) *web {
	if how.MaxFrame <= 0 {
		how.MaxFrame = defaultMaxFrame
	}
	if how.UserAgent == "" {
		how.UserAgent = "mcptui"
	}
	if how.EndpointWait <= 0 {
		how.EndpointWait = 10 * time.Second
	}
	if how.Counter == nil {
		how.Counter = new(atomic.Int64)
	}
	w := &web{how: how, emit: emit, most: mostUntaken}
	w.ctx, w.stop = context.WithCancel(context.Background())
	return w
}

// open checks what can be checked without the network.
func (w *web) open(transport string) error {
	u, err := url.Parse(w.how.URL)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return fmt.Errorf("connect to %s: not an http:// or https:// URL", u.Redacted())
	}
	if err := checkHeaders(w.how.Headers); err != nil {
		return fmt.Errorf("connect to %s: %w", u.Redacted(), err)
	}
	conf := &tls.Config{InsecureSkipVerify: w.how.Insecure} //nolint:gosec // only where the person says so
	if len(w.how.CA) > 0 {
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(w.how.CA) {
			return fmt.Errorf("connect to %s: the file given with --ca holds no PEM certificate", u.Redacted())
		}
		conf.RootCAs = pool
	}
	u.Fragment = ""
	w.url = u
	w.rt = &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            keepHeads(w.dialled.own((&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext)),
		TLSClientConfig:        conf,
		TLSHandshakeTimeout:    30 * time.Second,
		ForceAttemptHTTP2:      u.Scheme == "https", // setting it up takes a while, and without TLS it is not spoken
		MaxIdleConnsPerHost:    16,
		IdleConnTimeout:        90 * time.Second,
		DisableCompression:     true, // we ask for it and undo it ourselves, so that it can be shown
		MaxResponseHeaderBytes: 1 << 20,
	}
	target := u.String()
	if u.User != nil || strings.ContainsAny(target, "?&") { // else there is nothing to mask, and to look for it takes a while
		target = trace.MaskURL(target)
	}
	w.emit(trace.Event{Phase: &trace.Phase{Name: trace.PhaseStarting, Transport: transport, Target: target}})
	return nil
}

// admit takes a message unless too many are under way that wait for no answer;
// done is to be called once it is over.
func (w *web) admit(m Message) (done func(), err error) {
	if m.Request {
		return func() {}, nil
	}
	if w.untaken.Add(1) > int64(w.most) {
		w.untaken.Add(-1)
		return nil, full(w.most)
	}
	return func() { w.untaken.Add(-1) }, nil
}

func (w *web) next() int { return int(w.how.Counter.Add(1)) }

// close ends every exchange, waits for their goroutines and leaves no connection.
func (w *web) close(ctx context.Context) error {
	w.stop()
	done := make(chan struct{})
	spawn(w.emit, func() { w.wg.Wait(); close(done) })
	defer func() {
		if w.rt != nil {
			w.rt.CloseIdleConnections()
		}
		w.dialled.close()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("close: %w", ctx.Err())
	}
}

// exchange is one HTTP request and what comes back.
type exchange struct {
	n       int
	method  string
	url     *url.URL
	headers []trace.Header
	body    []byte
	message bool        // the body is a message
	cause   trace.Cause // why it is sent
	session string      // the session that it names
	place   *ticket     // among the messages, nil for none

	id       string // of the request that it carries, "" for none
	answered bool
	unended  bool // the stream ended inside an event, which is discarded
}

// errRefused marks a redirect that was not followed.
var errRefused = errors.New("redirect not followed")

// roundTrip sends the request and returns the response, after any redirects
// that may be followed. It emits the request, redirects and the response; of a
// failure it emits nothing yet.
func (w *web) roundTrip(ctx context.Context, x *exchange) (*http.Response, error) {
	seen := map[string]bool{}
	target := x.url
	for hop := 0; ; hop++ {
		seen[target.String()] = true
		resp, headers, err := w.once(ctx, x, target, hop)
		if err != nil {
			return nil, err
		}
		said := ""
		if hop > 0 {
			said = fmt.Sprintf("after %d redirects; connecting to %s directly spares them", hop, target.Redacted())
		}
		if !isRedirect(resp.StatusCode) {
			w.emitResponse(x, resp, headers, trace.HTTPResponse, target, said)
			return resp, nil
		}
		next, why := redirect(x.method, resp.StatusCode, resp.Header.Get("Location"), target, seen)
		w.emitResponse(x, resp, headers, trace.HTTPRedirect, target, why)
		_ = resp.Body.Close()
		if next == nil {
			return nil, fmt.Errorf("%d %s from %s %s: %w", resp.StatusCode, http.StatusText(resp.StatusCode), target.Redacted(), why, errRefused)
		}
		target = next
	}
}

// once sends the request to one URL, and returns the response with its headers
// as they came.
func (w *web) once(ctx context.Context, x *exchange, target *url.URL, hop int) (*http.Response, []trace.Header, error) {
	sent := &sentRequest{w: w, x: x, target: target, hop: hop}
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(sent.until(ctx), &httptrace.ClientTrace{
		GotConn:          sent.given,
		WroteHeaderField: sent.field,
		WroteHeaders:     sent.done,
		WroteRequest:     sent.wrote,
	}), x.method, target.String(), bytes.NewReader(x.body))
	if err != nil {
		return nil, nil, fmt.Errorf("request to %s: %w", target.Redacted(), err)
	}
	if x.body == nil {
		req.Body, req.GetBody, req.ContentLength = http.NoBody, nil, 0
	}
	for _, h := range x.headers {
		if strings.EqualFold(h.Name, "host") {
			req.Host = h.Value
			continue
		}
		name := h.Name
		switch canonical := http.CanonicalHeaderKey(name); canonical {
		case "User-Agent", "Content-Length", "Transfer-Encoding", "Trailer":
			name = canonical // the library would add its own beside another spelling
		}
		req.Header[name] = append(req.Header[name], h.Value)
	}
	if proxy, err := w.rt.Proxy(req); err == nil && proxy != nil {
		sent.note = "through the proxy " + proxy.Redacted()
	}
	resp, err := w.rt.RoundTrip(req)
	sent.left()
	if err != nil {
		sent.never()
		return nil, nil, err
	}
	return resp, responseHeaders(resp, sent.response()), nil
}

func (w *web) emitResponse(x *exchange, resp *http.Response, headers []trace.Header, stage trace.HTTPStage, target *url.URL, said string) {
	w.emit(trace.Event{HTTP: &trace.HTTP{
		Exchange: x.n, Stage: stage, Method: x.method, URL: target.String(), Proto: resp.Proto,
		Status: resp.StatusCode, Headers: headers, Note: said,
		Expired: stage == trace.HTTPResponse && resp.StatusCode == http.StatusNotFound && x.session != "",
	}})
}

// libraryHeaders lists the headers of a response, with those that the library
// takes out of the map.
func libraryHeaders(resp *http.Response) []trace.Header {
	headers := list(resp.Header)
	if len(resp.TransferEncoding) > 0 {
		headers = append(headers, trace.Header{Name: "Transfer-Encoding", Value: strings.Join(resp.TransferEncoding, ", ")})
	}
	if names := slices.Sorted(maps.Keys(resp.Trailer)); len(names) > 0 {
		headers = append(headers, trace.Header{Name: "Trailer", Value: strings.Join(names, ", ")})
	}
	if resp.ContentLength > 0 && resp.Header.Get("Content-Length") == "" && resp.ProtoMajor > 1 {
		headers = append(headers, trace.Header{Name: "Content-Length", Value: strconv.FormatInt(resp.ContentLength, 10)})
	}
	return headers
}

func list(h http.Header) []trace.Header {
	var out []trace.Header
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, v := range h[name] {
			out = append(out, trace.Header{Name: name, Value: v})
		}
	}
	return out
}

// failed emits the end of an exchange that brought no complete response.
func (w *web) failed(x *exchange, err error, lost bool, more string) {
	text := explain(err, x.url)
	if errors.Is(err, errRefused) {
		text = strings.TrimSuffix(err.Error(), ": "+errRefused.Error())
	}
	w.emit(trace.Event{HTTP: &trace.HTTP{
		Exchange: x.n, Stage: trace.HTTPFailed, Method: x.method, URL: x.url.String(), Note: text + more, Lost: lost,
	}})
}

// merge lays headers over others: one of the same name replaces what was there.
func merge(base []trace.Header, over ...[]trace.Header) []trace.Header {
	out := append([]trace.Header(nil), base...)
	for _, set := range over {
		replaced := map[string]bool{}
		for _, h := range set {
			replaced[strings.ToLower(h.Name)] = true
		}
		kept := out[:0:0]
		for _, h := range out {
			if !replaced[strings.ToLower(h.Name)] {
				kept = append(kept, h)
			}
		}
		out = append(kept, set...)
	}
	return out
}

func checkHeaders(headers []trace.Header) error {
	for _, h := range headers {
		if err := header.Check(h.Name, h.Value); err != nil {
			return fmt.Errorf("header %q: %w", h.Name, err)
		}
	}
	return nil
}
