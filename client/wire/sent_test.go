package wire

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mcptui/client/trace"
)

// What the log says was sent has left: also where the connection, or the request
// alone, is ended at the very moment at which it is logged.
func TestAMessageThatIsLoggedLeavesWhateverEndsThen(t *testing.T) {
	for name, end := range map[string]func(*Streamable){
		"the connection": func(s *Streamable) { s.stop() },
		"the request":    func(s *Streamable) { s.Abort("1") },
	} {
		for _, body := range []string{`{"jsonrpc":"2.0","id":1,"method":"x"}`, `{"jsonrpc":"2.0","id":1,"method":"x","params":{"pad":"` + strings.Repeat("x", 100_000) + `"}}`} {
			t.Run(name, func(t *testing.T) {
				came := make(chan string, 1)
				srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					got, err := io.ReadAll(r.Body)
					if err != nil {
						got = []byte(err.Error())
					}
					came <- string(got)
				}))
				defer srv.Close()
				var s *Streamable
				logged := false
				s = NewHTTP(HTTP{URL: srv.URL}, func(e trace.Event) int {
					if e.Frame != nil && e.Frame.Dir == trace.Out {
						logged = true
						ended := make(chan struct{})
						go func() { defer close(ended); end(s) }()
						<-ended
						time.Sleep(20 * time.Millisecond) // for what would cut the request off to do so
					}
					return 0
				})
				require.NoError(t, s.Start(t.Context()))
				require.NoError(t, s.Send(Message{Bytes: []byte(body), Request: true, ID: "1"}))
				select {
				case got := <-came:
					require.Equal(t, body, got)
				case <-time.After(patience):
					require.Fail(t, "it never left")
				}
				require.NoError(t, s.Close(context.Background()))
				require.True(t, logged)
			})
		}
	}
}
