package lint

import (
	"math/big"
	"slices"

	"mcptui/client/rpc"
)

var (
	progressPage = now("basic/patterns/progress", "Progress")
	progressOld  = before("basic/utilities/progress", "Progress")
	loggingPage  = now("server/utilities/logging", "Logging")
	loggingOld   = before("server/utilities/logging", "Logging")
	listenPage   = now("basic/patterns/subscriptions", "Subscriptions")
	listenAck    = now("basic/patterns/subscriptions#acknowledgment", "Subscriptions, Acknowledgment")
	listenGets   = now("basic/patterns/subscriptions#receiving-notifications", "Subscriptions, Receiving Notifications")
	cancelPage   = now("basic/patterns/cancellation", "Cancellation")
)

// progress is a token and how far it got.
type progress struct {
	req  *request
	last string // as written
}

func progressRules() []rule {
	return []rule{
		{id: "progress-fields", severity: Error, against: Server, when: onTold, modern: progressPage, legacy: progressOld, check: checkProgressFields},
		{id: "progress-token", severity: Error, against: Server, when: onTold, modern: progressPage, legacy: progressOld, check: checkProgressToken},
		{id: "progress-after-end", severity: Error, against: Server, when: onTold, modern: progressPage, legacy: progressOld, check: checkProgressAfter},
		{id: "progress-increase", severity: Error, against: Server, when: onTold, modern: progressPage, legacy: progressOld, check: checkProgressIncrease},
		{id: "progress-token-type", severity: Error, against: Client, when: onRequest, modern: progressPage, legacy: progressOld, check: checkTokenType},
		{id: "progress-token-twice", severity: Error, against: Client, when: onRequest, modern: progressPage, legacy: progressOld, check: checkTokenTwice},
	}
}

func (v *view) progress() (token string, p *progress, ok bool) {
	if v.m.Method != "notifications/progress" {
		return "", nil, false
	}
	token = string(rpc.Member(v.m.Params, "progressToken"))
	return token, v.l.tokens[token], true
}

func checkProgressFields(v *view) {
	token, _, ok := v.progress()
	if !ok {
		return
	}
	if token == "" {
		v.report("/params/progressToken", "the notification has no progressToken")
	}
	if !isNumber(rpc.Member(v.m.Params, "progress")) {
		v.report("/params/progress", "progress is missing or no number")
	}
	if raw := rpc.Member(v.m.Params, "total"); raw != nil && !isNumber(raw) && string(raw) != "null" {
		v.report("/params/total", "total is not a number")
	}
}

func checkProgressToken(v *view) {
	if token, p, ok := v.progress(); ok && token != "" && p == nil {
		v.report("/params/progressToken", "no request carries the progress token %s", token)
	}
}

func checkProgressAfter(v *view) {
	if token, p, ok := v.progress(); ok && p != nil && p.req.answered != 0 {
		v.report("/params/progressToken", "progress for the token %s comes after the response, in frame %d", token, p.req.answered)
	}
}

func checkProgressIncrease(v *view) {
	_, p, ok := v.progress()
	raw := string(rpc.Member(v.m.Params, "progress"))
	if !ok || p == nil || p.last == "" || len(raw) > 64 || len(p.last) > 64 {
		return
	}
	a, _, err := big.ParseFloat(p.last, 10, 128, big.ToNearestEven)
	b, _, err2 := big.ParseFloat(raw, 10, 128, big.ToNearestEven)
	if err == nil && err2 == nil && b.Cmp(a) <= 0 {
		v.report("/params/progress", "progress went from %s to %s: it must increase", p.last, raw)
	}
}

func checkTokenType(v *view) {
	if t := v.req.token; t != "" && t[0] != '"' && (!isNumber([]byte(t)) || slices.Contains([]byte(t), '.')) {
		v.report("/params/_meta/progressToken", "the progress token is neither text nor a whole number")
	}
}

func checkTokenTwice(v *view) {
	if p := v.l.tokens[v.req.token]; v.req.token != "" && p != nil && p.req.answered == 0 {
		v.report("/params/_meta/progressToken", "another open request has the progress token %s", v.req.token)
	}
}

func logRules() []rule {
	return []rule{
		{id: "log-unasked", severity: Error, against: Server, when: onTold, modern: now("server/utilities/logging#per-request-log-level", "Logging, Per-request log level"), check: checkLogUnasked},
		{id: "log-level", severity: Error, against: Server, when: onTold, modern: loggingPage, legacy: loggingOld, check: checkLogLevel},
		{id: "log-below-level", severity: Warning, against: Server, when: onTold, modern: now("server/utilities/logging#per-request-log-level", "Logging, Per-request log level"), check: checkLogBelow},
		{id: "log-data", severity: Error, against: Server, when: onTold, modern: loggingPage, legacy: loggingOld, check: checkLogData},
	}
}

var logLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// asked is the level that logs were asked for with, by the request of the
// stream or, where all share one, by any that is open.
func (v *view) asked() (level string, known bool) {
	if v.x != nil {
		if v.x.req == nil || v.x.verb == "GET" {
			return "", false
		}
		return v.x.req.logLevel, true
	}
	lowest := ""
	for _, r := range v.l.out {
		if r.answered == 0 && r.logLevel != "" && (lowest == "" || slices.Index(logLevels, r.logLevel) < slices.Index(logLevels, lowest)) {
			lowest = r.logLevel
		}
	}
	return lowest, true
}

func checkLogUnasked(v *view) {
	if v.m.Method != "notifications/message" {
		return
	}
	if level, known := v.asked(); known && level == "" {
		v.report("/method", "the server sends logs for a request that did not ask for any")
	}
}

func checkLogLevel(v *view) {
	if v.m.Method != "notifications/message" {
		return
	}
	if level := rpc.Text(v.m.Params, "level"); !slices.Contains(logLevels, level) {
		v.report("/params/level", "%q is no log level", level)
	}
}

func checkLogBelow(v *view) {
	if v.m.Method != "notifications/message" {
		return
	}
	level, known := v.asked()
	got := slices.Index(logLevels, rpc.Text(v.m.Params, "level"))
	if want := slices.Index(logLevels, level); known && want >= 0 && got >= 0 && got < want {
		v.report("/params/level", "a log of level %s came, and %s was asked for", logLevels[got], level)
	}
}

func checkLogData(v *view) {
	if v.m.Method == "notifications/message" && rpc.Member(v.m.Params, "data") == nil {
		v.report("/params/data", "the log has no data")
	}
}

// takeTold folds a notification of the server in.
func (l *Linter) takeTold(v *view) {
	switch v.m.Method {
	case "notifications/progress":
		if _, p, ok := v.progress(); ok && p != nil {
			p.last = string(rpc.Member(v.m.Params, "progress"))
		}
	case ackMethod:
		if _, s := v.subscription(); s != nil {
			s.acked = true
		}
	case "notifications/cancelled":
		if r := l.in[rpc.ID(rpc.Member(v.m.Params, "requestId"))]; r != nil {
			r.cancelled = true
		}
	}
}
