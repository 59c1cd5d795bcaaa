package embeddedserver_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	embeddedserver "mcptui/embedded-server"
)

// fill answers any form with the first thing that each field allows.
func fill(t *testing.T, params json.RawMessage) any {
	t.Helper()
	var p struct {
		RequestedSchema struct {
			Properties map[string]struct {
				Type    string
				Default any
				Enum    []any
				OneOf   []struct{ Const any }
			}
		}
	}
	require.NoError(t, json.Unmarshal(params, &p))
	content := map[string]any{}
	for name, f := range p.RequestedSchema.Properties {
		switch {
		case f.Default != nil:
			content[name] = f.Default
		case len(f.Enum) > 0:
			content[name] = f.Enum[0]
		case len(f.OneOf) > 0:
			content[name] = f.OneOf[0].Const
		default:
			content[name] = map[string]any{"string": "x", "number": 1, "integer": 1, "boolean": true, "array": []any{}}[f.Type]
		}
	}
	return map[string]any{"action": "accept", "content": content}
}

// The conformance profile, called for everything that it lists, in every
// revision: each message of it is valid against the official schema. What the
// fixtures must say is the official suite's to judge.
func TestTheConformanceServerOnTheWire(t *testing.T) {
	for _, revision := range revisions {
		for _, transport := range []string{"pipe", "http"} {
			if revision == "2024-11-05" && transport == "http" {
				continue
			}
			t.Run(revision+"/"+transport, func(t *testing.T) {
				t.Parallel() // most of it is the fixtures' own pauses
				s := newServer(t, embeddedserver.Options{Profile: "conformance"})
				w := &wire{t: t, link: openServer(t, s, transport, revision), revision: revision, caps: everything, official: loadOfficial(t),
					answers: func(_, method string, params json.RawMessage) any {
						if method == "elicitation/create" {
							return fill(t, params)
						}
						return visitor("", method, params)
					}}
				w.begin()
				var list struct {
					Tools   []struct{ Name string }
					Prompts []struct {
						Name      string
						Arguments []struct{ Name string }
					}
					Resources []struct{ URI string }
				}
				for _, method := range []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list"} {
					res := w.request(method, nil)
					require.Nil(t, res.Error)
					require.NoError(t, json.Unmarshal(res.Result, &list))
				}
				require.Greater(t, len(list.Tools), 20)
				for _, tool := range list.Tools {
					if tool.Name == "test_reconnection" && transport == "http" {
						continue // its stream breaks off, to be resumed
					}
					res := w.converse("tools/call", map[string]any{"name": tool.Name, "arguments": map[string]any{}})
					require.True(t, (res.Error != nil) != (res.Result != nil), tool.Name)
				}
				for _, p := range list.Prompts {
					args := map[string]any{}
					for _, a := range p.Arguments {
						args[a.Name] = "test://" + a.Name
					}
					w.converse("prompts/get", map[string]any{"name": p.Name, "arguments": args})
				}
				require.NotEmpty(t, list.Resources)
				for _, r := range list.Resources {
					res := w.converse("resources/read", map[string]any{"uri": r.URI})
					require.Nil(t, res.Error)
				}
			})
		}
	}
}
