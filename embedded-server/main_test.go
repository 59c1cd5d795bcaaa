package embeddedserver_test

import (
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain holds that nothing is left running once servers, pipes and clients
// are closed.
func TestMain(m *testing.M) {
	known := []goleak.Option{
		goleak.IgnoreAnyFunction("net/http.(*persistConn).readLoop"), // idle connections of the default client
		goleak.IgnoreAnyFunction("net/http.(*persistConn).writeLoop"),
	}
	goleak.VerifyTestMain(patient{m, known}, known...)
}

// patient is the tests for goleak, which gives goroutines on their way out less than
// half a second: these wait for them first.
type patient struct {
	*testing.M
	known []goleak.Option
}

func (p patient) Run() int {
	code := p.M.Run()
	for end := time.Now().Add(patience); code == 0 && goleak.Find(p.known...) != nil && time.Now().Before(end); {
	}
	return code
}
