package lint

import (
	"strings"

	"mcptui/client/rpc"
)

var cachingPage = now("server/utilities/caching", "Caching")

// cacheRules are about how long and for whom a result holds.
func cacheRules() []rule {
	return []rule{
		{id: "cache-missing", severity: Error, against: Server, when: onResult, modern: now("server/utilities/caching#cacheable-results", "Caching, Cacheable Results"), check: checkCacheMissing},
		{id: "cache-ttl", severity: Error, against: Server, when: onResult, modern: cachingPage, check: checkCacheTTL},
		{id: "cache-scope", severity: Error, against: Server, when: onResult, modern: cachingPage, check: checkCacheScope},
		{id: "cache-scope-pages", severity: Error, against: Server, when: onResult, modern: now("server/utilities/caching#interaction-with-pagination", "Caching, Interaction with Pagination"), check: checkCachePages},
		{id: "cache-interim", severity: Warning, against: Server, when: onResult, modern: now("server/utilities/caching#cacheable-results", "Caching, Cacheable Results"), check: checkCacheInterim},
		{id: "cache-legacy", severity: Info, against: Server, when: onResult, legacy: before("schema", "Schema"), check: checkCacheLegacy, once: true},
	}
}

func cacheable(method string) bool {
	return method == "server/discover" || method == "resources/read" || listMember[method] != ""
}

func checkCacheMissing(v *view) {
	if v.req == nil || !cacheable(v.req.method) || !v.l.modern || v.req.retries != nil || v.req.state != "" || v.req.answers != nil {
		return
	}
	if t := v.resultText("resultType"); t != "complete" && t != "" {
		return
	}
	var missing []string
	for _, name := range []string{"ttlMs", "cacheScope"} {
		if v.result(name) == nil {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		severity := Error
		if v.req.method == "resources/read" {
			severity = Warning // an example of the specification itself lacks them
		}
		v.reportAs(severity, "/result", "the result of %s has no %s", v.req.method, strings.Join(missing, " and no "))
	}
}

func checkCacheTTL(v *view) {
	raw := v.result("ttlMs")
	if raw == nil || v.req == nil || !cacheable(v.req.method) {
		return
	}
	if f, ok := number(raw); !ok || f < 0 || f != float64(int64(f)) {
		v.report("/result/ttlMs", "ttlMs is %s, and must be a whole number of milliseconds, 0 or more", clip(raw))
	}
}

func checkCacheScope(v *view) {
	raw := v.result("cacheScope")
	if raw == nil || v.req == nil || !cacheable(v.req.method) {
		return
	}
	if s, _ := rpc.String(raw); s != "public" && s != "private" {
		v.report("/result/cacheScope", "cacheScope is %s, and must be \"public\" or \"private\"", clip(raw))
	}
}

func checkCachePages(v *view) {
	l := v.l.lists[listName(v)]
	if l == nil || v.req.cursor == nil || l.seq == 0 || l.ended {
		return
	}
	if got := string(v.result("cacheScope")); got != l.scope {
		v.report("/result/cacheScope", "cacheScope is %s on this page and was %s on the first", or(got, "missing"), or(l.scope, "missing"))
	}
}

func or(s, instead string) string {
	if s == "" {
		return instead
	}
	return s
}

func checkCacheInterim(v *view) {
	if !v.asks() {
		return
	}
	for _, name := range []string{"ttlMs", "cacheScope"} {
		if v.result(name) != nil {
			v.report("/result/"+name, "a result that asks for input carries no %s", name)
		}
	}
}

func checkCacheLegacy(v *view) {
	for _, name := range []string{"ttlMs", "cacheScope", "resultType"} {
		if v.result(name) != nil {
			v.report("/result/"+name, "results have the member %s, which this revision does not know", name)
		}
	}
}
