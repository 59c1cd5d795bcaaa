package wire

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
)

// tap copies what crosses a connection.
type tap struct {
	net.Conn
	mu      sync.Mutex
	in, out bytes.Buffer
}

func (p *tap) Read(b []byte) (int, error) {
	n, err := p.Conn.Read(b)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.in.Write(b[:n])
	return n, err
}

func (p *tap) Write(b []byte) (int, error) {
	n, err := p.Conn.Write(b)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.out.Write(b[:n])
	return n, err
}

func (p *tap) seen() (in, out string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.in.String(), p.out.String()
}

func TestTheEventsOfAPipeAddUpToItsBytes(t *testing.T) {
	ours, theirs := net.Pipe()
	wire := &tap{Conn: ours}
	ev := collect()
	p := NewPipe(wire, 0, ev.emit)
	require.NoError(t, p.Start(t.Context()))
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.CopyN(io.Discard, theirs, 100)
		for _, part := range []string{"banner\r\n", "\n", "{\"jsonrpc\":\"2.0\",", "\"id\":1,\"result\":{}}\r\n", "\xff\xfe\n", "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"\xf0\x9f", "\x99\x82\"} \n", "[]\n", answer1} {
			_, _ = io.WriteString(theirs, part)
		}
		_ = theirs.Close()
	}()
	for i := range 3 {
		require.NoError(t, p.Send(Message{Bytes: []byte(`{"jsonrpc":"2.0","id":` + strings.Repeat("1", i+1) + `,"method":"<&> 漢"}`)}))
	}
	ev.until(t, "end", phase(trace.PhaseExited))
	<-done
	require.NoError(t, p.Close(t.Context()))
	in, out := wire.seen()
	require.Equal(t, in, ev.incoming(0))
	require.True(t, strings.HasPrefix(ev.outgoing(), out), "what was written is what the log says")
	require.GreaterOrEqual(t, len(out), 100)
}

func TestTheEventsOfAChildAddUpToWhatAProxySaw(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	ev := collect()
	c := NewStdio(Stdio{Command: self, Env: []string{partVariable + "=proxy", "MCPTUI_TEST_DIR=" + dir}, Wait: patience}, ev.emit)
	require.NoError(t, c.Start(t.Context()))
	for i := range 20 {
		require.NoError(t, c.Send(request(i, strings.Repeat("漢<&>", i*500))))
	}
	ev.until(t, "the last echo", func(e trace.Event) bool {
		return e.Noise != nil && strings.HasPrefix(string(e.Noise.Bytes), `got {"jsonrpc":"2.0","id":19,`)
	})
	require.NoError(t, c.Close(t.Context()))
	sent, err := os.ReadFile(dir + "/sent")
	require.NoError(t, err)
	got, err := os.ReadFile(dir + "/got")
	require.NoError(t, err)
	require.Equal(t, string(got), ev.incoming(0))
	require.Equal(t, string(sent), ev.outgoing())
	require.True(t, strings.HasSuffix(string(got), "}}"), "the last line has no newline")
}

func TestWhatHTTPSaysIsWhatTheLogSays(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("X-Twice", "a")
		w.Header().Add("X-Twice", "b")
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, ": hi\n\nid: 1\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"method\":\"a/b\"}\n\n")
		w.(http.Flusher).Flush()
		_, _ = io.WriteString(w, "event: message\r\ndata: "+answer1+"\r\n\r\n")
	}))
	defer srv.Close()
	ev := collect()
	s := NewHTTP(HTTP{URL: srv.URL + "/mcp?x=1", Headers: []trace.Header{{Name: "X-Mine", Value: "v"}, {Name: "user-agent", Value: "me"}}}, ev.emit)
	require.NoError(t, s.Start(t.Context()))
	var conn *tap
	s.rt.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		conn = &tap{Conn: c}
		return conn, err
	}
	m := request(1, "tools/call")
	m.Headers = []trace.Header{{Name: "Mcp-Param-Empty", Value: ""}, {Name: "accept", Value: "application/json"}}
	require.NoError(t, s.Send(m))
	end := ev.until(t, "end", over)
	require.NoError(t, s.Close(t.Context()))

	in, out := conn.seen()
	head, body, _ := strings.Cut(out, "\r\n\r\n")
	lines := strings.Split(head, "\r\n")
	require.Equal(t, "POST /mcp?x=1 HTTP/1.1", lines[0])
	require.Equal(t, string(m.Bytes), body)
	sent := ev.until(t, "request", httpStage(trace.HTTPRequest))
	require.Equal(t, sorted(lines[1:]), headerLines(sent.HTTP.Headers), "every header that left, and none besides")
	require.Contains(t, headerLines(sent.HTTP.Headers), "User-Agent: me", "the person's own replaces ours: %s", head)

	head, _, _ = strings.Cut(in, "\r\n\r\n")
	got := ev.until(t, "response", httpStage(trace.HTTPResponse))
	require.Equal(t, sorted(strings.Split(head, "\r\n")[1:]), headerLines(got.HTTP.Headers))
	response, err := http.ReadResponse(readerOf([]byte(in)), nil)
	require.NoError(t, err)
	plain, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, string(plain), ev.incoming(1))
	require.EqualValues(t, len(plain), end.HTTP.Bytes)
}

func TestTLSProblemsAreNamed(t *testing.T) {
	good, caPEM := certificate(t, "127.0.0.1", time.Now().Add(time.Hour))
	expired, expiredPEM := certificate(t, "127.0.0.1", time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC))
	other, otherPEM := certificate(t, "other.example", time.Now().Add(time.Hour))
	for name, c := range map[string]struct {
		cert     tls.Certificate
		ca       []byte
		insecure bool
		want     string
	}{
		"self-signed": {cert: good, want: "unknown authority (self-signed"},
		"trusted":     {cert: good, ca: caPEM},
		"insecure":    {cert: expired, insecure: true},
		"expired":     {cert: expired, ca: expiredPEM, want: "expired on 2021-01-01"},
		"other name":  {cert: other, ca: otherPEM, want: "valid for other.example, not for 127.0.0.1"},
	} {
		t.Run(name, func(t *testing.T) {
			srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, answer1)
			}))
			srv.Config.ErrorLog = quiet()
			srv.TLS = &tls.Config{Certificates: []tls.Certificate{c.cert}}
			srv.StartTLS()
			defer srv.Close()
			ev := collect()
			s := NewHTTP(HTTP{URL: srv.URL, CA: c.ca, Insecure: c.insecure}, ev.emit)
			require.NoError(t, s.Start(t.Context()))
			require.NoError(t, s.Send(request(1, "x")))
			end := ev.until(t, "end", over)
			require.NoError(t, s.Close(t.Context()))
			if c.want == "" {
				require.Equal(t, trace.HTTPEnd, end.HTTP.Stage, end.HTTP.Note)
				return
			}
			require.Equal(t, trace.HTTPFailed, end.HTTP.Stage)
			require.Contains(t, end.HTTP.Note, c.want)
			require.Contains(t, end.HTTP.Note, "--insecure")
		})
	}
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	ev := collect()
	s := NewHTTP(HTTP{URL: strings.Replace(plain.URL, "http:", "https:", 1)}, ev.emit)
	require.NoError(t, s.Start(t.Context()))
	require.NoError(t, s.Send(request(1, "x")))
	require.Contains(t, ev.until(t, "end", over).HTTP.Note, "try http://")
	require.NoError(t, s.Close(t.Context()))
	require.ErrorContains(t, NewHTTP(HTTP{URL: "https://x", CA: []byte("no PEM")}, collect().emit).Start(t.Context()), "--ca")
}

// certificate makes a self-signed certificate that is its own authority.
func certificate(t *testing.T, name string, until time.Time) (tls.Certificate, []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: until.AddDate(-1, 0, 0), NotAfter: until,
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	if ip := net.ParseIP(name); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{name}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

func headerLines(headers []trace.Header) []string {
	var out []string
	for _, h := range headers {
		out = append(out, h.Name+": "+h.Value)
	}
	return sorted(out)
}

func sorted(lines []string) []string {
	out := append([]string(nil), lines...)
	sort.Strings(out)
	return out
}
