package flow

import (
	"testing"

	"mcptui/client/internal/leaktest"
)

// A state machine without IO has nothing to leave behind.
func TestMain(m *testing.M) { leaktest.Main(m) }
