package ptytest

import (
	"testing"
	"time"

	"go.uber.org/goleak"
)

// Patient is a package's tests for [goleak.VerifyTestMain], which gives goroutines on
// their way out less than half a second: these wait for them first.
type Patient struct{ *testing.M }

// Run implements [goleak.TestingM].
func (p Patient) Run() int {
	code := p.M.Run()
	for end := time.Now().Add(time.Minute); code == 0 && goleak.Find() != nil && time.Now().Before(end); {
	}
	return code
}
