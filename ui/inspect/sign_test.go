package inspect

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/lint"
	"mcptui/client/state"
)

func TestAStateIsAsDoubtfulAsTheFindingsSay(t *testing.T) {
	severity := map[string]lint.Severity{}
	for _, r := range lint.Rules() {
		severity[r.Rule] = r.Severity
	}
	for kind, rule := range map[state.WarningKind]string{
		state.WarnSecret: "state-secret", state.WarnUnsigned: "state-unsigned", state.WarnNoExpiry: "state-no-expiry",
		state.WarnNoPerson: "state-unbound", state.WarnNoRequest: "state-unbound", state.WarnUnsafe: "state-unsafe",
	} {
		require.Contains(t, severity, rule)
		require.Equal(t, severity[rule], gravity(kind), rule)
	}
}
