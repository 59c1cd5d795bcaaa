package schema

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestANumberIsThatOfJSONWithNothingAroundIt(t *testing.T) {
	for _, text := range []string{"0", "-0", "7", "-12", "1.5", "0.0", "1e3", "1E+3", "-1.25e-10", "1e999", "123456789012345678901234567890"} {
		require.True(t, IsNumber(text), text)
	}
	for _, text := range []string{"", "-", "+1", "01", "-01", ".5", "1.", "1e", "1e+", "1_000", "1,5", " 1", "1 ", "1\n", "1 2", "0x1", "NaN", "Infinity", "--1", "1-1", "١", `"1"`, "[1]", "true"} {
		require.False(t, IsNumber(text), "%q", text)
	}
}
