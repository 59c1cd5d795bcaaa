package edge_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// gaps is an index: what the SDK's own transports get wrong, or only just
// right, and the tests that hold the edge to the right answer. A test after a
// slash is one of its cases.
var gaps = []struct {
	row   string
	tests []string
}{
	// How the SDK serves what it serves.
	{"a second ask leaves a handshake-era server as a bogus result", []string{"TestSeveralRoundsOverThePipeInEveryRevision"}},
	{"an undeclared capability gives -32021 and 400", []string{"TestStrictness/ask without the capability"}},
	{"an error after a notification is written unframed", []string{"TestErrorsAfterANotificationAreFramed"}},
	{"one endpoint serves one era", []string{"TestBothErasShareOneEndpoint", "TestErasOverHTTP"}},
	{"an answer that cannot be decoded fails the whole call", []string{"TestAnswersThatCannotBeReadAreAskedForAgain"}},
	{"server/discover: versions by transport", []string{"TestDiscoverListsTheVersionsOfTheTransport"}},
	{"listen over HTTP: acknowledged, tagged, filtered", []string{"TestListenOverHTTP", "TestCallsAreNotToldOfChanges", "TestListenWithoutFilterIsRefused"}},
	{"listen over HTTP: no keep-alive", []string{"TestListenIsKeptAlive"}},
	{"listen over HTTP: no result when the server closes", []string{"TestListenEndsGracefully"}},
	{"listen on one stream: the second takes the first one's place", []string{"TestSeveralListensOnOneStream"}},
	{"x-mcp-header", []string{"TestMirroredArguments"}},
	{"Mcp-Name in base64 is refused", []string{"TestStandardHeadersMustAgreeWithTheBody"}},
	{"-32020: headers and body", []string{"TestStandardHeadersMustAgreeWithTheBody", "TestRepeatedHeadersAreRefused"}},
	{"-32022 only for later versions", []string{"TestUnsupportedVersionNamesWhatIsSupported", "TestStrictness/unknown version", "TestStrictness/version that never was"}},
	{"Origin is not checked", []string{"TestOriginAndHost", "TestOriginsOnOpenAddresses"}},
	{"ttlMs and cacheScope also on interim results and retries", []string{"TestCacheHintsStandOnlyWhereTheyBelong"}},
	{"an unknown log level lets everything through", []string{"TestProgressAndLogLevelOfTheRequest", "TestStrictness/unknown log level"}},
	{"a disconnect does not cancel", []string{"TestDisconnectCancelsInTheModernEra", "TestDisconnectCancelsNothingInTheHandshakeEra"}},
	{"a cancelled request on a stream is still answered", []string{"TestCancellationIsSilent", "TestCancellationOverHTTPIsSilent"}},
	{"completion and pagination", []string{"TestPaginationAndCompletion", "TestStrictness/bad cursor"}},
	{"pipes in every era", []string{"TestSeveralRoundsOverThePipeInEveryRevision"}},
	{"the era of a stream sticks", []string{"TestBothErasInterleaveOnOneStream", "TestErasOnAStreamOfLines"}},
	{"the end of a listen stream is not announced", []string{"TestListenEndsGracefully"}},
	{"a panic ends the process", []string{"TestPanicsLeaveTheServerAlive", "TestStrictness/panic of a handler"}},

	// What the SDK makes of odd input.
	{"malformed JSON, a scalar, no jsonrpc", []string{"TestStrictness/malformed JSON", "TestStrictness/scalar", "TestStrictness/no jsonrpc"}},
	{"a request without a method", []string{"TestStrictness/no method"}},
	{"id 1.5", []string{"TestStrictness/fractional id", "TestIDsAreKeptExactly"}},
	{"an id that is an object", []string{"TestStrictness/object id"}},
	{"an id that is null", []string{"TestStrictness/null id"}},
	{"a batch", []string{"TestStrictness/batch", "TestBatches", "TestBatchesAreBounded"}},
	{"no _meta, version or capabilities", []string{"TestStrictness/no params", "TestStrictness/no version in _meta", "TestStrictness/no capabilities in _meta"}},
	{"an unknown or removed method", []string{"TestStrictness/unknown method", "TestStrictness/removed method initialize", "TestStrictness/removed method ping"}},
	{"an unknown notification", []string{"TestStrictness/unknown notification"}},
	{"notifications/initialized in the modern era", []string{"TestStrictness/removed notification"}},
	{"a call without params", []string{"TestStrictness/call without params"}},
	{"an Accept header without event streams", []string{"TestAcceptDecidesBetweenEventsAndJSON"}},
	{"Last-Event-ID", []string{"TestLastEventIDIsIgnoredInTheModernEra"}},
	{"GET and DELETE", []string{"TestMethodsOfHTTP"}},
	{"a plain Go error of a handler leaks with code 0", []string{"TestStrictness/plain Go error of a handler", "TestErrorsOfTheHandshakeEra"}},
	{"-32603 of a handler", []string{"TestStrictness/internal error of a handler"}},
	{"an ask without the capability is sent as it is", []string{"TestStrictness/ask without the capability"}},
	{"an ask carries an empty complete result", []string{"TestInterimResultsAreClean"}},
	{"a state without asks is sent as a complete result", []string{"TestStateOnlyRoundsHaveNoRequests"}},
}

// Every test that the index names is there.
func TestEveryGapHasItsTest(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	texts := map[string]map[string]bool{} // test → the text literals in it
	for _, name := range files {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		f, err := parser.ParseFile(token.NewFileSet(), name, src, 0)
		require.NoError(t, err)
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(fn.Name.Name, "Test") {
				continue
			}
			in := map[string]bool{}
			ast.Inspect(fn, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if s, err := strconv.Unquote(lit.Value); err == nil {
						in[s] = true
					}
				}
				return true
			})
			texts[fn.Name.Name] = in
		}
	}
	for _, g := range gaps {
		require.NotEmpty(t, g.tests, g.row)
		for _, name := range g.tests {
			test, part, hasPart := strings.Cut(name, "/")
			require.Contains(t, texts, test, g.row)
			if hasPart {
				require.True(t, texts[test][part], "%s: %s has no case %q", g.row, test, part)
			}
		}
	}
}
