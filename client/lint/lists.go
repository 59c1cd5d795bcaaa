package lint

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"github.com/yosida95/uritemplate/v3"

	"mcptui/client/rpc"
)

var (
	paginationPage = now("server/utilities/pagination", "Pagination")
	paginationOld  = before("server/utilities/pagination", "Pagination")
	resourcesPage  = now("server/resources#data-types", "Resources, Data Types")
	resourcesOld   = before("server/resources#data-types", "Resources, Data Types")
	iconsPage      = now("basic#icons", "icons")
	iconsOld       = before("basic#icons", "icons")
	listsPage      = now("server", "Server Features")
	listsOld       = before("server", "Server Features")
)

// listMember is the member of a list's result that holds its entries.
var listMember = map[string]string{
	"tools/list": "tools", "prompts/list": "prompts",
	"resources/list": "resources", "resources/templates/list": "resourceTemplates",
}

// keyMember is what names an entry of a list.
var keyMember = map[string]string{
	"tools/list": "name", "prompts/list": "name", "resources/list": "uri", "resources/templates/list": "uriTemplate",
}

// listing is one fetch of a list over its pages.
type listing struct {
	seq     int
	keys    []string // of all pages so far
	scope   string   // raw cacheScope of the first page
	cursors []string // raw, handed out by any page of any fetch
	whole   []string // keys of the last complete fetch
	ended   bool
}

func listRules() []rule {
	return []rule{
		{id: "list-member", severity: Error, against: Server, when: onResult, modern: listsPage, legacy: listsOld, check: checkListMember},
		{id: "list-entry", severity: Error, against: Server, when: onResult, modern: listsPage, legacy: listsOld, check: checkListEntries},
		{id: "list-duplicate", severity: Warning, against: Server, when: onResult, modern: now("server/tools#tool-names", "Tools, Tool Names"),
			legacy: before("server/tools#tool-names", "Tools, Tool Names"), check: checkListDuplicates},
		{id: "list-order", severity: Info, against: Server, when: onResult, modern: now("server/tools#capabilities", "Tools, Capabilities"), check: checkListOrder},
		{id: "cursor-type", severity: Error, against: Server, when: onResult, modern: paginationPage, legacy: paginationOld, check: checkCursorType},
		{id: "cursor-loop", severity: Error, against: Server, when: onResult, modern: paginationPage, legacy: paginationOld, check: checkCursorLoop},
		{id: "cursor-invalid-served", severity: Warning, against: Server, when: onResult, modern: paginationPage, legacy: paginationOld, check: checkCursorServed},
		{id: "resource-uri", severity: Error, against: Server, when: onResult, modern: resourcesPage, legacy: resourcesOld, check: checkResourceURI},
		{id: "template-form", severity: Error, against: Server, when: onResult, modern: resourcesPage, legacy: resourcesOld, check: checkTemplateForm},
		{id: "resource-name", severity: Error, against: Server, when: onResult, modern: resourcesPage, legacy: resourcesOld, check: checkResourceName},
		{id: "prompt-arguments", severity: Error, against: Server, when: onResult, modern: now("server/prompts#data-types", "Prompts, Data Types"),
			legacy: before("server/prompts#data-types", "Prompts, Data Types"), check: checkPromptArguments},
		{id: "annotations", severity: Warning, against: Server, when: onResult, modern: now("server/resources#annotations", "Resources, Annotations"),
			legacy: before("server/resources#annotations", "Resources, Annotations"), check: checkEntryAnnotations},
		{id: "icon-scheme", severity: Warning, against: Server, when: onResult, modern: iconsPage, legacy: iconsOld, check: checkIcons},
	}
}

// entries yields the entries of the list that a result is a page of.
func (v *view) entries(yield func(path string, raw []byte)) {
	if v.req == nil || v.asks() {
		return
	}
	name := listMember[v.req.method]
	if name == "" {
		return
	}
	i := 0
	for _, raw := range rpc.Elements(v.result(name)) {
		yield("/result/"+name+"/"+itoa(i), raw)
		i++
	}
}

func checkListMember(v *view) {
	if v.req == nil || listMember[v.req.method] == "" || v.asks() {
		return
	}
	name := listMember[v.req.method]
	if raw := v.result(name); len(raw) == 0 || raw[0] != '[' {
		v.report("/result/"+name, "the result of %s has no list %q", v.req.method, name)
	}
}

func checkListEntries(v *view) {
	v.entries(func(path string, raw []byte) {
		if raw[0] != '{' {
			v.report(path, "the entry is not an object")
			return
		}
		key := keyMember[v.req.method]
		if rpc.Text(raw, key) == "" {
			v.report(path+"/"+key, "the entry has no %s", key)
		}
	})
}

func checkListDuplicates(v *view) {
	var seen []string
	if l := v.l.lists[listName(v)]; l != nil && v.req != nil && v.req.cursor != nil {
		seen = slices.Clone(l.keys)
	}
	v.entries(func(path string, raw []byte) {
		key := rpc.Text(raw, keyMember[v.req.method])
		if key != "" && slices.Contains(seen, key) {
			v.report(path, "%q is listed twice", key)
		}
		if len(seen) < 5000 {
			seen = append(seen, key)
		}
	})
}

func listName(v *view) string {
	if v.req == nil {
		return ""
	}
	return v.req.method
}

func checkListOrder(v *view) {
	l := v.l.lists[listName(v)]
	if l == nil || l.whole == nil || v.req.cursor != nil || v.result("nextCursor") != nil || v.req.method != "tools/list" {
		return
	}
	var keys []string
	v.entries(func(_ string, raw []byte) { keys = append(keys, rpc.Text(raw, "name")) })
	if slices.Equal(keys, l.whole) {
		return
	}
	a, b := slices.Sorted(slices.Values(keys)), slices.Sorted(slices.Values(l.whole))
	if slices.Equal(a, b) {
		v.report("/result/tools", "the same tools come in another order than before")
	}
}

func checkCursorType(v *view) {
	raw := v.result("nextCursor")
	if raw == nil || v.req == nil || listMember[v.req.method] == "" || raw[0] == '"' {
		return
	}
	if string(raw) == "null" {
		v.reportAs(Warning, "/result/nextCursor", "nextCursor is null; after the last page it should be left out")
		return
	}
	v.report("/result/nextCursor", "nextCursor is not text")
}

func checkCursorLoop(v *view) {
	raw := v.result("nextCursor")
	if v.req == nil || raw == nil || v.req.cursor == nil {
		return
	}
	if bytes.Equal(raw, v.req.cursor) {
		v.report("/result/nextCursor", "the next page is the one that was asked for: the list never ends")
		return
	}
	l := v.l.lists[v.req.method]
	if l != nil && !l.ended && slices.Contains(l.cursors, string(raw)) && len(l.keys) > 0 {
		before := slices.Index(l.cursors, string(v.req.cursor))
		if again := slices.Index(l.cursors, string(raw)); again >= 0 && before >= again {
			v.report("/result/nextCursor", "the next page was handed out before: the list never ends")
		}
	}
}

func checkCursorServed(v *view) {
	if v.req == nil || v.req.cursor == nil || listMember[v.req.method] == "" || string(v.req.cursor) == "null" {
		return
	}
	if l := v.l.lists[v.req.method]; l == nil || !slices.Contains(l.cursors, string(v.req.cursor)) {
		v.report("/result", "the server served a cursor that it never handed out; %d is due", codeInvalidParams)
	}
}

func checkResourceURI(v *view) {
	if listName(v) != "resources/list" {
		return
	}
	v.entries(func(path string, raw []byte) {
		s := rpc.Text(raw, "uri")
		if u, err := url.Parse(s); s != "" && (err != nil || u.Scheme == "") {
			v.report(path+"/uri", "%q is no URI", s)
		}
	})
}

func checkTemplateForm(v *view) {
	if listName(v) != "resources/templates/list" {
		return
	}
	v.entries(func(path string, raw []byte) {
		s := rpc.Text(raw, "uriTemplate")
		if _, err := uritemplate.New(s); s != "" && err != nil {
			v.report(path+"/uriTemplate", "%q is no URI template: %s", s, err)
		}
	})
}

func checkResourceName(v *view) {
	if m := listName(v); m != "resources/list" && m != "resources/templates/list" {
		return
	}
	v.entries(func(path string, raw []byte) {
		if raw[0] == '{' && rpc.Member(raw, "name") == nil {
			v.report(path+"/name", "the entry has no name")
		}
	})
}

func checkPromptArguments(v *view) {
	if listName(v) != "prompts/list" {
		return
	}
	v.entries(func(path string, raw []byte) {
		args := rpc.Member(raw, "arguments")
		if args != nil && args[0] != '[' && string(args) != "null" {
			v.report(path+"/arguments", "the arguments of prompt %q are not a list", rpc.Text(raw, "name"))
		}
		var seen []string
		for i, a := range rpc.Elements(args) {
			name := rpc.Text(a, "name")
			switch {
			case name == "":
				v.report(path+"/arguments/"+itoa(i), "an argument of prompt %q has no name", rpc.Text(raw, "name"))
			case slices.Contains(seen, name):
				v.report(path+"/arguments/"+itoa(i), "prompt %q has the argument %q twice", rpc.Text(raw, "name"), name)
			}
			seen = append(seen, name)
		}
	})
}

// annotationFault says what is wrong with annotations, "" where nothing is.
func annotationFault(raw []byte) (path, fault string) {
	if raw == nil || raw[0] != '{' {
		return "", ""
	}
	if p := rpc.Member(raw, "priority"); p != nil {
		if f, ok := number(p); !ok || f < 0 || f > 1 {
			return "/priority", "priority is not a number from 0 to 1"
		}
	}
	for _, a := range rpc.Elements(rpc.Member(raw, "audience")) {
		if s, _ := rpc.String(a); s != "user" && s != "assistant" {
			return "/audience", "audience names someone other than user and assistant"
		}
	}
	return "", ""
}

func checkEntryAnnotations(v *view) {
	if m := listName(v); m != "resources/list" && m != "resources/templates/list" {
		return
	}
	v.entries(func(path string, raw []byte) {
		if at, fault := annotationFault(rpc.Member(raw, "annotations")); fault != "" {
			v.report(path+"/annotations"+at, "%s", fault)
		}
	})
}

func checkIcons(v *view) {
	v.entries(func(path string, raw []byte) {
		for i, icon := range rpc.Elements(rpc.Member(raw, "icons")) {
			src := rpc.Text(icon, "src")
			scheme, _, _ := strings.Cut(strings.ToLower(src), ":")
			switch {
			case scheme == "https", scheme == "data", scheme == "http":
			default:
				v.report(path+"/icons/"+itoa(i)+"/src", "a client must refuse the icon %q", clip([]byte(src)))
			}
		}
	})
}

// takeList folds a page in.
func (l *Linter) takeList(v *view) {
	if v.asks() {
		return
	}
	m := v.req.method
	p := l.lists[m]
	if p == nil {
		p = &listing{}
		l.lists[m] = p
	}
	if v.req.cursor == nil {
		*p = listing{cursors: p.cursors, whole: p.whole}
		if m == "tools/list" {
			l.tools = map[string]*tool{}
		}
	}
	if p.seq == 0 {
		p.seq, p.scope = v.e.Seq, string(v.result("cacheScope"))
	}
	v.entries(func(_ string, raw []byte) {
		if key := rpc.Text(raw, keyMember[m]); len(p.keys) < 5000 {
			p.keys = append(p.keys, key)
		}
		if m == "tools/list" && len(l.tools) < 5000 {
			if t := newTool(raw); t != nil {
				l.tools[t.name] = t
			}
		}
	})
	next := v.result("nextCursor")
	if next != nil && next[0] == '"' {
		if len(p.cursors) < 5000 {
			p.cursors = append(p.cursors, string(next))
		}
		return
	}
	p.ended, p.whole = true, p.keys
}

// isBase64 judges a JSON string. Of a large one the beginning tells, and it may
// have escaped slashes.
func isBase64(raw []byte) bool {
	const look = 64 << 10
	raw = raw[1 : len(raw)-1]
	if len(raw) > look {
		_, err := base64.StdEncoding.DecodeString(string(raw[:look]))
		return err == nil || bytes.IndexByte(raw[:look], '\\') >= 0
	}
	s, ok := rpc.String(append(append([]byte{'"'}, raw...), '"'))
	_, err := base64.StdEncoding.DecodeString(s)
	return ok && err == nil && !strings.ContainsAny(s, "\r\n")
}
