package demo_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"mcptui/embedded-server/ask"
	"mcptui/embedded-server/demo"
)

// person is a client whose user says the same thing to each question, and who
// keeps what was asked and notified.
type person struct {
	mu       sync.Mutex
	asked    []string // messages of elicitations, and kinds of the other asks
	notified []string
	says     map[string]*mcp.ElicitResult // by a part of the message
	changed  chan string
}

func (p *person) answer(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, r.Params.Message)
	for part, res := range p.says {
		if strings.Contains(r.Params.Message, part) {
			return res, nil
		}
	}
	return nil, fmt.Errorf("no answer to %q", r.Params.Message)
}

func yes(content map[string]any) *mcp.ElicitResult {
	return &mcp.ElicitResult{Action: "accept", Content: content}
}

func newPerson(says map[string]*mcp.ElicitResult) *person {
	return &person{says: says, changed: make(chan string, 100)}
}

// visit connects a person to a town of their own.
func (p *person) visit(t *testing.T, revision string) *mcp.ClientSession {
	t.Helper()
	layer, err := ask.New(ask.Config{Keys: [][]byte{make([]byte, ask.MinKeyBytes)}})
	require.NoError(t, err)
	s := demo.New(layer, "1.2.3", slog.New(slog.DiscardHandler))
	note := func(what string) {
		p.mu.Lock()
		p.notified = append(p.notified, what)
		p.mu.Unlock()
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "visitor", Version: "1"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{
			RootsV2:     &mcp.RootCapabilities{},
			Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}},
		},
		ElicitationHandler: p.answer,
		CreateMessageHandler: func(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.asked = append(p.asked, "sampling")
			return &mcp.CreateMessageResult{Role: "assistant", Model: "m", Content: &mcp.TextContent{Text: "See the lighthouse."}}, nil
		},
		LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) {
			note(fmt.Sprint(r.Params.Level, ": ", r.Params.Data))
		},
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			note(fmt.Sprint("progress ", r.Params.Progress, "/", r.Params.Total))
		},
		ToolListChangedHandler:     func(context.Context, *mcp.ToolListChangedRequest) { p.changed <- "tools" },
		PromptListChangedHandler:   func(context.Context, *mcp.PromptListChangedRequest) { p.changed <- "prompts" },
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { p.changed <- "resources" },
		ResourceUpdatedHandler:     func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { p.changed <- r.Params.URI },
	})
	c.AddRoots(&mcp.Root{URI: "file:///home/ada/trips"})
	near, far := mcp.NewInMemoryTransports()
	ss, err := s.Connect(t.Context(), far, nil)
	require.NoError(t, err)
	session, err := c.Connect(t.Context(), near, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	require.NoError(t, err)
	t.Cleanup(func() { session.Close(); ss.Close() })
	return session
}

func textOf(t *testing.T, res *mcp.CallToolResult, err error) string {
	t.Helper()
	require.NoError(t, err)
	require.NotEmpty(t, res.Content)
	return res.Content[0].(*mcp.TextContent).Text
}

var eras = []string{"2025-11-25", "2026-07-28"}

func TestTheStoryInBothEras(t *testing.T) {
	says := map[string]*mcp.ElicitResult{
		"your name":           yes(map[string]any{"name": "Ada"}),
		"which day":           yes(map[string]any{"date": "2027-05-01"}),
		"For how many":        yes(map[string]any{"seats": 4, "area": "terrace"}),
		"Book a table":        yes(map[string]any{"ok": true}),
		"Who is travelling":   yes(map[string]any{"travellers": 2, "pace": "slow"}),
		"Delete the branch":   {Action: "decline"},
		"connect your":        {Action: "accept"},
		"How was your stay":   yes(map[string]any{"name": "Ada", "nights": 2, "again": true, "liked": []any{"sea", "quiet"}}),
		"Whom is the postcar": yes(map[string]any{"recipient": "Grace", "tone": "dry"}),
		"Sign the guestbook":  yes(map[string]any{"name": "Ada"}),
		"word is on your key": yes(map[string]any{"word": "tower"}),
	}
	for _, revision := range eras {
		t.Run(revision, func(t *testing.T) {
			ctx := t.Context()
			p := newPerson(says)
			s := p.visit(t, revision)
			for _, c := range []struct {
				tool string
				args map[string]any
				asks int // of the person; roots are listed without one
				want string
			}{
				{"greet", nil, 1, "Hello, Ada!"},
				{"book_table", nil, 3, "Your table is booked: 4 seats, 2027-05-01, on the terrace. Your reference is FARO-3C9D."},
				{"plan_trip", nil, 2, "A slow day in Isola Verde for 2, to be kept in file:///home/ada/trips:\n\nSee the lighthouse."},
				{"delete_branch", map[string]any{"branch": "release/2019"}, 1, "The branch release/2019 stays: you declined."},
				{"connect_account", nil, 1, "You agreed to go to the town's website. This server learns there, not here, whether you connected your account."},
				{"survey", nil, 1, "Thank you, Ada! You filled in:\n- again: true\n- liked: [sea quiet]\n- name: Ada\n- nights: 2"},
				{"add", map[string]any{"a": 1.5, "b": 2}, 0, "1.5 + 2 = 3.5"},
				{"weather", map[string]any{"place": "Capo Nord"}, 0, "Capo Nord: gale, 9.5 °C, wind 41 knots."},
				{"weather", nil, 0, "Porto Lume: clear, 18.5 °C, wind 8 knots."},
				{"ferry_times", map[string]any{"harbour": "Isola Verde"}, 0, "Ferries from Isola Verde: 09:15, 15:30."},
				{"ferry_times", map[string]any{"harbour": "Capo Nord"}, 0, "No ferries from Capo Nord today: gale."},
			} {
				before := len(p.asked)
				if c.args == nil {
					c.args = map[string]any{}
				}
				res, err := s.CallTool(ctx, &mcp.CallToolParams{Name: c.tool, Arguments: c.args})
				require.Equal(t, c.want, textOf(t, res, err), c.tool)
				require.False(t, res.IsError)
				require.Len(t, p.asked[before:], c.asks, c.tool)
			}

			prompt, err := s.GetPrompt(ctx, &mcp.GetPromptParams{Name: "postcard"})
			require.NoError(t, err)
			require.Equal(t, "Write a dry postcard from Porto Lume to Grace.", prompt.Messages[0].Content.(*mcp.TextContent).Text)
			for uri, want := range map[string]string{
				"town://guestbook":      "- Ada\n",
				"town://rooms/tower":    "window to the sea",
				"town://rooms/garden":   "The key does not turn.",
				"town://dishes/gnocchi": "sage butter",
				"town://about":          "four hundred people",
				"town://menu":           "ribollita",
			} {
				r, err := s.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
				require.NoError(t, err, uri)
				require.Contains(t, r.Contents[0].Text, want, uri)
			}
			r, err := s.ReadResource(ctx, &mcp.ReadResourceParams{URI: "town://map.png"})
			require.NoError(t, err)
			require.Equal(t, "\x89PNG", string(r.Contents[0].Blob[:4]))
		})
	}
}

func TestEveryRefusalIsAnAnswer(t *testing.T) {
	for _, revision := range eras {
		for _, action := range []string{"decline", "cancel"} {
			p := newPerson(map[string]*mcp.ElicitResult{"": {Action: action}})
			s := p.visit(t, revision)
			for _, name := range []string{"greet", "book_table", "plan_trip", "delete_branch", "connect_account", "survey"} {
				args := map[string]any{}
				res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
				require.NotEmpty(t, textOf(t, res, err), name)
				require.False(t, res.IsError, "%s: to refuse is no error", name)
			}
			for _, uri := range []string{"town://guestbook", "town://rooms/tower"} {
				_, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
				require.NoError(t, err)
			}
			_, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "postcard"})
			require.NoError(t, err)
		}
	}
}

func TestBookTableCanEndAtEveryQuestion(t *testing.T) {
	base := map[string]*mcp.ElicitResult{
		"which day":    yes(map[string]any{"date": "2027-05-01"}),
		"For how many": yes(map[string]any{"seats": 1, "area": "inside"}),
		"Book a table": yes(map[string]any{"ok": false}),
	}
	for part, want := range map[string]struct {
		says   *mcp.ElicitResult
		reason string
		asks   int
	}{
		"which day":    {&mcp.ElicitResult{Action: "decline"}, "you chose decline when asked for the day", 1},
		"For how many": {&mcp.ElicitResult{Action: "cancel"}, "you chose cancel when asked for the seats", 2},
		"Book a table": {base["Book a table"], "you did not confirm", 3},
	} {
		says := map[string]*mcp.ElicitResult{}
		for k, v := range base {
			says[k] = v
		}
		says[part] = want.says
		p := newPerson(says)
		res, err := p.visit(t, "2026-07-28").CallTool(t.Context(), &mcp.CallToolParams{Name: "book_table"})
		require.Equal(t, "No table is booked: "+want.reason+".", textOf(t, res, err))
		require.Len(t, p.asked, want.asks)
		require.Equal(t, false, res.StructuredContent.(map[string]any)["booked"])
	}
}

func TestPlanTripAsksAgainForWhatIsMissing(t *testing.T) {
	// Round by round, by hand: a malformed draft is asked for again, and what
	// was answered well is kept in the tool's own state.
	p := newPerson(nil)
	layer, err := ask.New(ask.Config{Keys: [][]byte{make([]byte, ask.MinKeyBytes)}})
	require.NoError(t, err)
	s := demo.New(layer, "1", nil)
	c := mcp.NewClient(&mcp.Implementation{Name: "v", Version: "1"}, &mcp.ClientOptions{
		Capabilities:       &mcp.ClientCapabilities{RootsV2: &mcp.RootCapabilities{}, Sampling: &mcp.SamplingCapabilities{}, Elicitation: &mcp.ElicitationCapabilities{}},
		ElicitationHandler: p.answer, MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
	})
	near, far := mcp.NewInMemoryTransports()
	_, err = s.Connect(t.Context(), far, nil)
	require.NoError(t, err)
	session, err := c.Connect(t.Context(), near, nil)
	require.NoError(t, err)
	defer session.Close()

	params := &mcp.CallToolParams{Name: "plan_trip", Arguments: map[string]any{"destination": "Capo Nord"}}
	res, err := session.CallTool(t.Context(), params)
	require.NoError(t, err)
	require.Len(t, res.InputRequests, 3)
	params.RequestState = res.RequestState
	params.InputResponses = mcp.InputResponseMap{
		"travellers": yes(map[string]any{"travellers": 3, "pace": "brisk"}),
		"draft":      &mcp.CreateMessageResult{Role: "user", Model: "m", Content: &mcp.TextContent{Text: "not a model's"}},
		"folders":    &mcp.ListRootsResult{Roots: []*mcp.Root{}},
	}
	res, err = session.CallTool(t.Context(), params)
	require.NoError(t, err)
	require.Len(t, res.InputRequests, 1)
	require.Contains(t, res.InputRequests, "draft")
	params.RequestState = res.RequestState
	params.InputResponses = mcp.InputResponseMap{"draft": &mcp.CreateMessageResult{Role: "assistant", Model: "m", Content: &mcp.TextContent{Text: "Hold on to your hat."}}}
	res, err = session.CallTool(t.Context(), params)
	require.Equal(t, "A brisk day in Capo Nord for 3, to be kept in none:\n\nHold on to your hat.", textOf(t, res, err))
	require.Equal(t, map[string]any{
		"planned": true, "destination": "Capo Nord", "travellers": 3.0, "pace": "brisk", "plan": "Hold on to your hat.", "folder": "none",
	}, res.StructuredContent)
}

func TestDictateLetterBelongsToTheHandshakeEra(t *testing.T) {
	p := newPerson(nil)
	res, err := p.visit(t, "2025-11-25").CallTool(t.Context(), &mcp.CallToolParams{Name: "dictate_letter"})
	require.Equal(t, "See the lighthouse.", textOf(t, res, err))
	_, err = p.visit(t, "2026-07-28").CallTool(t.Context(), &mcp.CallToolParams{Name: "dictate_letter"})
	require.ErrorContains(t, err, "Require")
}

func TestLongJobReportsAndCanBeCancelled(t *testing.T) {
	for _, revision := range eras {
		t.Run(revision, func(t *testing.T) {
			p := newPerson(nil)
			s := p.visit(t, revision)
			params := &mcp.CallToolParams{Name: "long_job", Arguments: map[string]any{"steps": 3, "pause_ms": 1}}
			params.SetProgressToken("t")
			if revision < "2026" {
				require.NoError(t, s.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "info"}))
			} else {
				params.Meta[mcp.MetaKeyLogLevel] = "info"
			}
			res, err := s.CallTool(t.Context(), params)
			require.Equal(t, "3 loaves are baked.", textOf(t, res, err))
			require.Eventually(t, func() bool { p.mu.Lock(); defer p.mu.Unlock(); return len(p.notified) == 6 }, time.Minute, 5*time.Millisecond)
			for _, want := range []string{"progress 1/3", "progress 3/3", "info: loaf 1 of 3 is out of the oven", "notice: loaf 3 of 3 is out of the oven"} {
				require.Contains(t, p.notified, want)
			}

			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				time.Sleep(20 * time.Millisecond)
				cancel()
			}()
			_, err = s.CallTool(ctx, &mcp.CallToolParams{Name: "long_job", Arguments: map[string]any{"steps": 1000, "pause_ms": 60000}})
			require.ErrorIs(t, err, context.Canceled)
		})
	}
}

func TestTheSeasonsChangeWhatIsListed(t *testing.T) {
	for _, revision := range eras {
		t.Run(revision, func(t *testing.T) {
			p := newPerson(nil)
			s := p.visit(t, revision)
			require.NoError(t, s.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "town://menu"}))
			res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "change_season"})
			require.Equal(t, "It is summer now.", textOf(t, res, err))
			p.isTold(t, "prompts", "resources", "tools", "town://menu")
			require.Contains(t, toolNames(t, s), "swim")
			r, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "town://menu"})
			require.NoError(t, err)
			require.Contains(t, r.Contents[0].Text, "lemon-granita")
			require.NotContains(t, r.Contents[0].Text, "ribollita")

			res, err = s.CallTool(t.Context(), &mcp.CallToolParams{Name: "change_season"})
			require.Equal(t, "It is summer already.", textOf(t, res, err))
			res, err = s.CallTool(t.Context(), &mcp.CallToolParams{Name: "change_season", Arguments: map[string]any{"season": "winter"}})
			require.Equal(t, "It is winter now.", textOf(t, res, err))
			p.isTold(t, "prompts", "resources", "tools", "town://menu")
			require.NotContains(t, toolNames(t, s), "swim")
		})
	}
}

// isTold waits for notifications of changes, which come in any order.
func (p *person) isTold(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	for len(got) < len(want) {
		select {
		case c := <-p.changed:
			got = append(got, c)
		case <-time.After(time.Minute):
			require.FailNow(t, "not told of all changes", "only of %v", got)
		}
	}
	slices.Sort(got)
	require.Equal(t, want, got)
}

func toolNames(t *testing.T, s *mcp.ClientSession) []string {
	t.Helper()
	var names []string
	for tool, err := range s.Tools(t.Context(), nil) {
		require.NoError(t, err)
		names = append(names, tool.Name)
	}
	return names
}

func TestWhatIsListed(t *testing.T) {
	s := newPerson(nil).visit(t, "2026-07-28")
	ctx := t.Context()
	require.Equal(t, []string{
		"add", "book_table", "change_season", "connect_account", "delete_branch", "dictate_letter", "ferry_times",
		"go_fishing", "greet", "long_job", "plan_trip", "souvenirs", "survey", "weather",
	}, toolNames(t, s))
	first, err := s.ListTools(ctx, nil)
	require.NoError(t, err)
	require.NotEmpty(t, first.NextCursor, "the tools need a second page")
	for tool, err := range s.Tools(ctx, nil) {
		require.NoError(t, err)
		require.NotEmpty(t, tool.Title, tool.Name)
		require.NotEmpty(t, tool.Description, tool.Name)
		require.NotNil(t, tool.Annotations, tool.Name)
		raw, err := json.Marshal(tool.InputSchema)
		require.NoError(t, err)
		switch tool.Name {
		case "ferry_times":
			require.Contains(t, string(raw), `"x-mcp-header":"Harbour"`)
		case "weather", "book_table", "plan_trip", "add":
			require.NotNil(t, tool.OutputSchema, tool.Name)
			if tool.Name == "book_table" {
				require.True(t, strings.HasPrefix(tool.Icons[0].Source, "data:image/svg+xml;base64,"))
			}
		case "delete_branch":
			require.True(t, *tool.Annotations.DestructiveHint)
			require.False(t, tool.Annotations.ReadOnlyHint)
		}
	}
	prompts, err := s.ListPrompts(ctx, nil)
	require.NoError(t, err)
	require.Len(t, prompts.Prompts, 3)
	resources, err := s.ListResources(ctx, nil)
	require.NoError(t, err)
	require.Len(t, resources.Resources, 4)
	templates, err := s.ListResourceTemplates(ctx, nil)
	require.NoError(t, err)
	require.Len(t, templates.ResourceTemplates, 2)
	init := s.InitializeResult()
	require.Equal(t, "1.2.3", init.ServerInfo.Version)
	require.Contains(t, init.Instructions, "book_table")
}

func TestTheMarket(t *testing.T) {
	for revision, kinds := range map[string]int{"2024-11-05": 3, "2025-03-26": 4, "2025-06-18": 5, "2026-07-28": 5} {
		s := newPerson(nil).visit(t, revision)
		res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "souvenirs"})
		require.NoError(t, err)
		require.Len(t, res.Content, kinds, revision)
		res, err = s.CallTool(t.Context(), &mcp.CallToolParams{Name: "go_fishing"})
		require.Contains(t, textOf(t, res, err), "nothing is biting")
		require.True(t, res.IsError)
	}
}

func TestCompletion(t *testing.T) {
	s := newPerson(nil).visit(t, "2026-07-28")
	for _, c := range []struct {
		ref        mcp.CompleteReference
		name, typd string
		context    map[string]string
		want       []string
	}{
		{mcp.CompleteReference{Type: "ref/prompt", Name: "choose_dish"}, "course", "", nil, []string{"starter", "main", "dessert"}},
		{mcp.CompleteReference{Type: "ref/prompt", Name: "choose_dish"}, "course", "d", nil, []string{"dessert"}},
		{mcp.CompleteReference{Type: "ref/prompt", Name: "choose_dish"}, "dish", "", map[string]string{"course": "starter"}, []string{"bruschetta", "fish-soup"}},
		{mcp.CompleteReference{Type: "ref/prompt", Name: "choose_dish"}, "dish", "g", nil, []string{"gnocchi", "grilled-sardines"}},
		{mcp.CompleteReference{Type: "ref/resource", URI: "town://rooms/{room}"}, "room", "", nil, []string{"garden", "harbour", "tower"}},
		{mcp.CompleteReference{Type: "ref/resource", URI: "town://dishes/{dish}"}, "dish", "panna", nil, []string{"panna-cotta"}},
		{mcp.CompleteReference{Type: "ref/prompt", Name: "hello"}, "x", "", nil, []string{}},
	} {
		p := &mcp.CompleteParams{Ref: &c.ref, Argument: mcp.CompleteParamsArgument{Name: c.name, Value: c.typd}}
		if c.context != nil {
			p.Context = &mcp.CompleteContext{Arguments: c.context}
		}
		res, err := s.Complete(t.Context(), p)
		require.NoError(t, err)
		require.Equal(t, c.want, res.Completion.Values)
	}
}

func TestMistakesOfTheCallerAreToldApart(t *testing.T) {
	s := newPerson(nil).visit(t, "2026-07-28")
	for name, args := range map[string]map[string]any{
		"add":         {"a": "x", "b": 1},
		"weather":     {"place": "Atlantis"},
		"ferry_times": {"harbour": "Atlantis"},
		"long_job":    {"steps": 0},
	} {
		res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
		require.NoError(t, err, name)
		require.True(t, res.IsError, name)
	}
	for _, uri := range []string{"town://nowhere", "town://dishes/stones", "town://rooms/cellar"} {
		_, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		require.Error(t, err, uri)
	}
	for _, args := range []map[string]string{nil, {"course": "soup"}} {
		_, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "choose_dish", Arguments: args})
		require.Error(t, err)
	}
	p, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "choose_dish", Arguments: map[string]string{"course": "main", "dish": "gnocchi"}})
	require.NoError(t, err)
	require.Len(t, p.Messages, 3)
}
