package ask

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The revisions that brought the capabilities which asks depend on. What the
// negotiated revision does not define counts as undeclared.
const (
	elicitationSince = "2025-06-18"
	modesSince       = "2025-11-25" // elicitation modes, sampling tools and context
)

// declared is what the client said that it can do.
type declared struct {
	revision string
	caps     map[string]any // as JSON: ClientCapabilities as the SDK types it loses what is null or empty
}

// declaredBy reads the capabilities of a modern request from its _meta, and
// those of a handshake-era one from its session.
func declaredBy(revision string, meta mcp.Meta, session *mcp.ServerSession) declared {
	d := declared{revision: revision, caps: map[string]any{}}
	if revision >= modernRevision {
		switch v := meta[mcp.MetaKeyClientCapabilities].(type) {
		case nil:
		case map[string]any:
			d.caps = v
		default: // put there in process, as a Go value
			if b, err := json.Marshal(v); err == nil {
				_ = json.Unmarshal(b, &d.caps) // what is no object declares nothing
			}
		}
		return d
	}
	if session == nil {
		return d
	}
	init := session.InitializeParams()
	if init == nil || init.Capabilities == nil {
		return d
	}
	c := init.Capabilities
	if c.RootsV2 != nil {
		d.caps["roots"] = map[string]any{}
	}
	if c.Sampling != nil {
		s := map[string]any{}
		if c.Sampling.Tools != nil {
			s["tools"] = map[string]any{}
		}
		if c.Sampling.Context != nil {
			s["context"] = map[string]any{}
		}
		d.caps["sampling"] = s
	}
	if c.Elicitation != nil {
		e := map[string]any{}
		if c.Elicitation.Form != nil {
			e["form"] = map[string]any{}
		}
		if c.Elicitation.URL != nil {
			e["url"] = map[string]any{}
		}
		d.caps["elicitation"] = e
	}
	return d
}

// has reports whether a capability, or a part of one, was declared. Null is
// not a declaration.
func (d declared) has(name string, part ...string) bool {
	v := d.caps[name]
	if v == nil || v == false {
		return false
	}
	if len(part) == 0 {
		return true
	}
	if d.revision < modesSince {
		return false
	}
	o, _ := v.(map[string]any)
	p := o[part[0]]
	return p != nil && p != false
}

// form reports whether the client shows forms: a bare elicitation means form
// mode only, and one that names modes must name it.
func (d declared) form() bool {
	if d.revision < elicitationSince || !d.has("elicitation") {
		return false
	}
	return d.has("elicitation", "form") || !d.has("elicitation", "url")
}

// needs collects what a client would have to declare.
type needs map[string]map[string]any

func (n needs) add(name string, part ...string) {
	if n[name] == nil {
		n[name] = map[string]any{}
	}
	for _, p := range part {
		n[name][p] = struct{}{}
	}
}

// String lists what is needed, in order: "elicitation.form, roots".
func (n needs) String() string {
	var names []string
	for name, parts := range n {
		if len(parts) == 0 {
			names = append(names, name)
		}
		for part := range parts {
			names = append(names, name+"."+part)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// missing says what of the need for one ask the client did not declare.
func (d declared) missing(ask mcp.InputRequest) needs {
	n := needs{}
	sampling := func(tools bool, context string) {
		if !d.has("sampling") {
			n.add("sampling")
		}
		if tools && !d.has("sampling", "tools") {
			n.add("sampling", "tools")
		}
		// Before it had a capability of its own, context came with sampling.
		if context != "" && context != "none" && d.revision >= modesSince && !d.has("sampling", "context") {
			n.add("sampling", "context")
		}
	}
	switch p := ask.(type) {
	case *mcp.ElicitParams:
		if isURL(p) {
			if !d.has("elicitation", "url") {
				n.add("elicitation", "url")
			}
		} else if !d.form() {
			n.add("elicitation", "form")
		}
	case *mcp.CreateMessageParams:
		sampling(false, p.IncludeContext)
	case *mcp.CreateMessageWithToolsParams:
		sampling(len(p.Tools) > 0 || p.ToolChoice != nil, p.IncludeContext)
	case *mcp.ListRootsParams:
		if !d.has("roots") {
			n.add("roots")
		}
	}
	return n
}

// check refuses asks that the client could never answer: error -32021 with the
// capabilities that are missing, as a capability object.
func (d declared) check(asks mcp.InputRequestMap) *jsonrpc.Error {
	all := needs{}
	for _, a := range asks {
		for name, parts := range d.missing(a) {
			all.add(name)
			maps.Copy(all[name], parts)
		}
	}
	if len(all) == 0 {
		return nil
	}
	// By hand: the SDK's capability type always marshals a roots member.
	data, err := json.Marshal(map[string]any{"requiredCapabilities": all})
	if err != nil {
		return internalError("required capabilities: %v", err)
	}
	return &jsonrpc.Error{
		Code:    mcp.CodeMissingRequiredClientCapabilities,
		Message: "this request needs client capabilities that were not declared: " + all.String(),
		Data:    data,
	}
}
