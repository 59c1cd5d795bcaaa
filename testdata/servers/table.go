package main

// answers fits whatever the servers ask.
const answers = `answers:
  who: {accept: {name: Ada}}
  user_name: {accept: {name: Ada}}
  q1: {accept: {name: one}}
  q2: {accept: {name: two}}
  q3: {accept: {name: three}}
match:
  - {method: elicitation/create, mode: url, reply: {accept: {}}}
  - {method: elicitation/create, message: "Who", reply: {accept: {name: Ada}}}
  - {method: elicitation/create, message: "1 of 3", reply: {accept: {name: one}}}
  - {method: elicitation/create, message: "2 of 3", reply: {accept: {name: two}}}
  - {method: elicitation/create, message: "3 of 3", reply: {accept: {name: three}}}
  - {method: elicitation/create, message: "random", reply: {accept: {random: sea}}}
  - {method: elicitation/create, message: "^hi$", reply: {accept: {username: ada, email: ada@example.com}}}
  - {method: elicitation/create, message: "project", reply: {accept: {projectName: sea, framework: none}}}
  - {method: elicitation/create, message: "inputs", reply: {accept: {name: Ada}}}
  - {method: elicitation/create, reply: {accept: defaults}}
  - {method: sampling/createMessage, reply: {text: "A plan."}}
  - {method: roots/list, reply: {roots: ["file:///srv/data"]}}
`

// server is one server: how it is started, and what is asked of it.
type server struct {
	name    string
	command []string // the first file lies below the cache; PORT and FOLDER stand for themselves
	url     string   // path of its endpoint where it listens, else ""
	port    string   // where it listens, if it cannot be told
	also    []string // ports that must listen before it can serve
	era     string
	lists   string
	steps   []step
}

func (s server) fixed(port string) string {
	if s.port != "" {
		return s.port
	}
	return port
}

type step struct {
	do   []string
	asks bool // answers are given
	code int
	say  []string
}

func call(tool string, args ...string) step {
	return step{do: append([]string{"call", tool}, args...)}
}

// asking is a call that asks.
func asking(tool string, args ...string) step {
	s := call(tool, args...)
	s.asks = true
	return s
}

func (s step) says(words ...string) step { s.say = words; return s }

func (s step) exits(code int) step { s.code = code; return s }

func do(words ...string) step { return step{do: words} }

func npm(name string, args ...string) []string {
	return append([]string{"node", "npm/node_modules/.bin/mcp-server-" + name}, args...)
}

const all = "tools prompts resources templates"

var everything = []step{
	call("echo", "message=hi").says("Echo: hi"),
	call("get-sum", "a=2", "b=3").says("5"),
	call("get-structured-content", "location=New York").says("temperature"),
	call("trigger-long-running-operation", "duration=1", "steps=2").says("completed"),
	asking("trigger-elicitation-request").says("accept"),
	asking("trigger-sampling-request", "prompt=hi").says("A plan."),
	call("get-roots-list", "--root", "file:///srv/data").says("file:///srv/data"),
	do("complete", "prompt:completable-prompt", "department=E").says("Engineering"),
	do("prompt", "simple-prompt").says("simple prompt"),
}

var asksOf = []step{
	asking("form").says(`"name":"Ada"`),
	asking("url").says("url got", "accept"),
	asking("sampling").says("A plan."),
	asking("roots").says("file:///srv/data"),
	asking("all").says("Ada", "A plan.", "file:///srv/data"),
	asking("rounds").says("rounds got one, two, three"),
	call("state").says("state alone, twice"),
	{do: []string{"prompt", "brief"}, asks: true, say: []string{"Brief Ada"}},
	{do: []string{"read", "secret://doc"}, asks: true, say: []string{"Opened for Ada"}},
	call("form", "--on-ask", "fail").exits(5).says("elicitation/create who"),
}

// legacyAsks are the same tools where the SDK asks by requests of its own; a
// state alone and asks of prompts and resources have no such form there.
var legacyAsks = func() (out []step) {
	for _, s := range asksOf[:6] {
		s.do = append(append([]string{}, s.do...), "--era", "legacy")
		out = append(out, s)
	}
	return out
}()

var conformanceTools = []step{
	call("test_simple_text").says("simple text response"),
	call("test_error_handling").exits(1),
	call("test_tool_with_progress"),
}

// servers are the npm reference servers, the examples of the go-sdk and mcp-go,
// and a server on the TypeScript SDK v2.
var servers = []server{
	{name: "npm everything stdio", command: npm("everything", "stdio"), era: "legacy", lists: all, steps: everything},
	{name: "npm everything http", command: npm("everything", "streamableHttp"), url: "/mcp", era: "legacy", lists: all, steps: everything},
	{name: "npm everything sse", command: npm("everything", "sse"), url: "/sse", era: "legacy", lists: all, steps: everything[:3]},
	{name: "npm filesystem", command: npm("filesystem", "FOLDER"), era: "legacy", lists: "tools", steps: []step{call("list_allowed_directories").says("Allowed")}},
	{name: "npm memory", command: npm("memory"), era: "legacy", lists: "tools resources", steps: []step{call("read_graph").says("entities")}},
	{name: "npm sequential-thinking", command: npm("sequential-thinking"), era: "legacy", lists: "tools",
		steps: []step{call("sequentialthinking", "thought=x", "nextThoughtNeeded=false", "thoughtNumber=1", "totalThoughts=1").says("thoughtNumber")}},

	{name: "go-sdk everything", command: []string{"go-sdk/everything"}, era: "modern", lists: all, steps: []step{
		call("greet", "name=Ada").says("Hi Ada"),
		call("greet (structured)", "name=Ada").says("Hi Ada"),
		call("elicit (form)").exits(1).says("InputRequests"),
		asking("elicit (form)", "--era", "legacy"),
		asking("elicit (url)", "--era", "legacy"),
		asking("sample", "--era", "legacy").says("A plan."),
		call("roots", "--era", "legacy", "--root", "file:///srv/data").says("file:///srv/data"),
		call("ping", "--era", "legacy"),
	}},
	{name: "go-sdk everything http", command: []string{"go-sdk/everything", "-http", "127.0.0.1:PORT"}, url: "/", era: "legacy", lists: all, steps: []step{
		call("greet", "name=Ada").says("Hi Ada"),
		asking("elicit (form)"), asking("sample").says("A plan."),
		call("roots", "--root", "file:///srv/data").says("file:///srv/data"),
	}},
	{name: "go-sdk hello", command: []string{"go-sdk/hello"}, era: "modern", lists: "tools", steps: []step{call("greet", "name=Ada").says("Ada")}},
	{name: "go-sdk toolschemas", command: []string{"go-sdk/toolschemas"}, era: "modern", lists: "tools", steps: []step{call("simple greeting", "name=Ada").says("Ada")}},
	{name: "go-sdk memory", command: []string{"go-sdk/memory"}, era: "modern", lists: "tools", steps: []step{call("read_graph")}},
	{name: "go-sdk sequentialthinking", command: []string{"go-sdk/sequentialthinking"}, era: "modern", lists: "tools", steps: []step{call("start_thinking", "problem=x")}},
	{name: "go-sdk custom-transport", command: []string{"go-sdk/custom-transport"}, era: "modern", lists: "tools", steps: []step{call("greet", "name=Ada").says("Ada")}},
	{name: "go-sdk http", command: []string{"go-sdk/http", "-port", "PORT", "server"}, url: "/", era: "legacy", lists: "tools", steps: []step{call("cityTime", "city=nyc").says("New York")}},
	{name: "go-sdk distributed", command: []string{"go-sdk/distributed", "-http", "127.0.0.1:PORT", "-child_ports", "39315,39316"}, also: []string{"39315", "39316"}, url: "/", era: "modern", lists: "tools", steps: []step{call("inc")}},
	{name: "go-sdk sse", command: []string{"go-sdk/sse", "-host", "127.0.0.1", "-port", "PORT"}, url: "/greeter1", era: "legacy", lists: "tools", steps: []step{call("greet1", "name=Ada").says("Ada")}},
	{name: "go-sdk conformance", command: []string{"go-sdk/everything-server", "-http=127.0.0.1:PORT"}, url: "/", era: "modern", lists: all, steps: append([]step{
		asking("test_input_required_result_elicitation").says("Ada"),
		asking("test_input_required_result_sampling"),
		asking("test_input_required_result_list_roots"),
	}, conformanceTools...)},

	{name: "mcp-go everything", command: []string{"mcp-go/everything"}, era: "modern", lists: all, steps: []step{
		call("echo", "message=hi").says("hi"), call("add", "a=2", "b=3").says("5"),
	}},
	{name: "mcp-go elicitation", command: []string{"mcp-go/elicitation"}, era: "modern", lists: "tools", steps: []step{
		asking("create_project", "--era", "legacy"),
		call("create_project").exits(4).says("-32603"),
	}},
	{name: "mcp-go sampling", command: []string{"mcp-go/sampling_server"}, era: "modern", lists: "tools", steps: []step{
		asking("ask_llm", "question=hi", "--era", "legacy").says("A plan."),
		asking("ask_llm", "question=hi").exits(1).says("not supported"),
	}},
	{name: "mcp-go roots", command: []string{"mcp-go/roots_server"}, era: "modern", lists: "tools", steps: []step{
		call("roots", "--era", "legacy", "--root", "file:///srv/data").says("file:///srv/data"),
	}},
	{name: "mcp-go structured", command: []string{"mcp-go/structured_input_and_output"}, era: "modern", lists: "tools", steps: []step{call("get_weather", "location=Rome").says("Rome")}},
	{name: "mcp-go typed", command: []string{"mcp-go/typed_tools"}, era: "modern", lists: "tools", steps: []step{call("greeting", "name=Ada", "age=36", "is_vip=true", "languages:=[]", "metadata:={}").says("Ada")}},
	{name: "mcp-go custom_context", command: []string{"mcp-go/custom_context"}, era: "modern", lists: "tools"},
	{name: "mcp-go roots http", command: []string{"mcp-go/roots_http_server"}, url: "/mcp", port: "8080", era: "modern", lists: "tools", steps: []step{
		call("roots", "--era", "legacy", "--root", "file:///srv/data").says("file:///srv/data"),
	}},
	{name: "mcp-go sampling http", command: []string{"mcp-go/sampling_http_server"}, url: "/mcp", port: "8080", era: "modern", lists: "tools", steps: []step{
		asking("ask_llm", "question=hi", "--era", "legacy").says("A plan."),
	}},
	{name: "mcp-go conformance", command: []string{"mcp-go/conformance"}, url: "/mcp", era: "modern", lists: all, steps: append([]step{
		asking("test_elicitation", "message=hi", "--era", "legacy"),
		asking("test_sampling", "prompt=hi", "--era", "legacy").says("A plan."),
	}, conformanceTools...)},

	{name: "TypeScript SDK v2 stdio", command: []string{"node", "npm/asks.mjs"}, era: "modern", lists: all, steps: append(append([]step{}, asksOf...), legacyAsks...)},
	{name: "TypeScript SDK v2 http", command: []string{"node", "npm/asks.mjs", "--http", "PORT"}, url: "/mcp", era: "modern", lists: all, steps: asksOf},
}
