package embeddedserver_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain holds that nothing is left running once servers, pipes and clients
// are closed.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("net/http.(*persistConn).readLoop"), // idle connections of the default client
		goleak.IgnoreAnyFunction("net/http.(*persistConn).writeLoop"),
	)
}
