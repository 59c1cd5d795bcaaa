package state_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mcptui/client/state"
)

// TestRandomBytesAreCalledThat holds the share of random states that are taken
// for something else, over a fixed sequence.
func TestRandomBytesAreCalledThat(t *testing.T) {
	source := rand.NewChaCha8([32]byte{6})
	for _, c := range []struct {
		size   int
		missed int // of 2000 at most
	}{{16, 30}, {18, 20}, {20, 20}, {24, 6}, {32, 2}, {48, 0}, {64, 0}} {
		for name, enc := range map[string]*base64.Encoding{"base64": base64.StdEncoding, "base64url": base64.RawURLEncoding} {
			t.Run(fmt.Sprintf("%d bytes in %s", c.size, name), func(t *testing.T) {
				var missed []string
				for range 2000 {
					b := make([]byte, c.size)
					_, _ = source.Read(b)
					value := enc.EncodeToString(b)
					d := state.Decode(token(t, value))
					if chain := d.Chain(); !strings.HasSuffix(chain, "encrypted or random bytes") && chain != "random token" {
						missed = append(missed, value+": "+chain)
					}
				}
				require.LessOrEqual(t, len(missed), c.missed, "%s", strings.Join(missed, "\n"))
			})
		}
	}
}

// TestNamesAreNotCalledRandom holds what people write, and ids that have a form
// of their own, against being taken for ciphertext.
func TestNamesAreNotCalledRandom(t *testing.T) {
	names := strings.Fields(`
		waitingForConfirmation awaitingUserApprovalStep2 BookTableStepThree ConfirmDeployToProduction
		step-2-of-3-waiting-for-date STEP_TWO_WAITING_FOR_CARD Step_Two_Waiting_For_Card collect-Payment-Details
		getUserByIDAndTenantID XMLHttpRequestFactoryBean parseURLFromHTTPHeader IPv6AddressFamilyName
		OAuth2AuthorizationCodeGrant SHA256WithRSAEncryption Base64UrlEncodedState utf8StringWithBOM16
		com.example.tools.BookTable/v2 org/acme/Flow#Step3 session/3/round/2/waiting file:///home/ada/state.json
		2026-12-01T21:31:19.123456Z 2026-W49-2T12:00+01:00 round=2;asked=date;tool=book_table
		mcp-session-confirm-order-12345678 order_00000000000000012345 AAAAAAAAAAAAAAAAAAAAAAAA abcabcabcabcabcabcabcabc
		ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz0123456789 00000000-0000-0000-0000-000000000000
		dGhpcyBpcyBub3QgcmFuZG9t LoremIpsumDolorSitAmetConsectetur NewYorkSanFranciscoLosAngeles
		ETHTOOL_LINK_MODE_Pause_BIT TestHandshakeClientResumption convertStringToInterface`)
	source := rand.NewChaCha8([32]byte{7})
	b := make([]byte, 32)
	for range 50 { // ids of the usual forms
		_, _ = source.Read(b)
		h := hex.EncodeToString(b)
		names = append(names, h, h[:32], h[:40], strings.ToUpper(h[:24]), h[:16],
			h[:8]+"-"+h[8:12]+"-4"+h[13:16]+"-a"+h[17:20]+"-"+h[20:32], "job_"+h[:24], "sess-"+h)
	}
	for _, name := range names {
		chain := state.Decode(token(t, name)).Chain()
		require.NotContains(t, chain, "random", name)
		require.NotContains(t, chain, "encrypted", name)
	}
}
