package lint

import (
	"mcptui/client/rpc"
)

// listen is an open subscription.
type listen struct {
	req   *request
	acked bool
}

func subscriptionRules() []rule {
	return []rule{
		{id: "listen-ack-first", severity: Error, against: Server, when: onTold, modern: listenAck, check: checkAckFirst},
		{id: "listen-ack-more", severity: Error, against: Server, when: onTold, modern: listenAck, check: checkAckMore},
		{id: "listen-id", severity: Error, against: Server, when: onTold, modern: listenGets, check: checkListenID},
		{id: "listen-unasked", severity: Error, against: Server, when: onTold, modern: now("basic/patterns/subscriptions#opening-a-stream", "Subscriptions, Opening a Stream"), check: checkListenUnasked},
		{id: "listen-request-scoped", severity: Error, against: Server, when: onTold, modern: receiving, check: checkListenScoped},
		{id: "listen-result-id", severity: Error, against: Server, when: onResult, modern: now("basic/patterns/subscriptions#graceful-closure", "Subscriptions, Graceful Closure"), check: checkListenResult},
		{id: "listen-acknowledged", severity: Error, against: Server, when: onResult, modern: listenAck, check: checkNeverAcked},
		{id: "cancelled-by-server", severity: Error, against: Server, when: onTold, modern: cancelPage, check: checkServerCancels},
		{id: "notification-unknown", severity: Info, against: Server, when: onTold, modern: listenPage, legacy: notifiesBefore, check: checkUnknownNotification, once: true},
		{id: "cancelled-unknown", severity: Warning, against: Client, when: onNotify, modern: cancelPage, legacy: before("basic/utilities/cancellation", "Cancellation"), check: checkCancelsUnknown},
	}
}

const ackMethod = "notifications/subscriptions/acknowledged"

// filterMember is the member of a filter that asks for a notification, "" for
// those that need no subscription.
func filterMember(method string) string {
	switch method {
	case "notifications/tools/list_changed":
		return "toolsListChanged"
	case "notifications/prompts/list_changed":
		return "promptsListChanged"
	case "notifications/resources/list_changed":
		return "resourcesListChanged"
	case "notifications/resources/updated":
		return "resourceSubscriptions"
	}
	return ""
}

// subscription finds what a notification belongs to, by the id that it carries.
func (v *view) subscription() (id rpc.ID, s *listen) {
	id = rpc.ID(rpc.Member(v.m.Params, "_meta", metaSubscription))
	return id, v.l.listens[id]
}

func checkAckFirst(v *view) {
	if filterMember(v.m.Method) == "" {
		return
	}
	if _, s := v.subscription(); s != nil && !s.acked {
		v.report("/method", "%s comes before the subscription was acknowledged", v.m.Method)
	}
}

func checkAckMore(v *view) {
	_, s := v.subscription()
	if v.m.Method != ackMethod || s == nil {
		return
	}
	granted := rpc.Member(v.m.Params, "notifications")
	if len(granted) == 0 || granted[0] != '{' {
		v.report("/params/notifications", "the acknowledgment does not say what was granted")
		return
	}
	for name, raw := range rpc.Members(granted) {
		if string(raw) == "false" || string(raw) == "null" || string(raw) == "[]" {
			continue
		}
		asked := rpc.Member(s.req.filter, name)
		if asked == nil || string(asked) == "false" {
			v.report("/params/notifications/"+escape(name), "%s is granted and was not asked for", name)
		}
	}
}

func checkListenID(v *view) {
	if v.m.Method != ackMethod && filterMember(v.m.Method) == "" {
		return
	}
	id, s := v.subscription()
	switch {
	case s != nil:
	case id == "":
		v.report("/params/_meta", "%s does not say which subscription it belongs to", v.m.Method)
	case len(v.l.listens) > 0 || v.l.out[id] == nil:
		v.report("/params/_meta", "no subscription has the id %s", id)
	}
}

func checkListenUnasked(v *view) {
	name := filterMember(v.m.Method)
	_, s := v.subscription()
	if name == "" || s == nil {
		return
	}
	asked := rpc.Member(s.req.filter, name)
	if asked == nil || string(asked) == "false" {
		v.report("/method", "%s was not asked for", v.m.Method)
		return
	}
	if name != "resourceSubscriptions" {
		return
	}
	uri := rpc.Text(v.m.Params, "uri")
	for _, u := range rpc.Elements(asked) {
		if s, _ := rpc.String(u); s == uri || s != "" && len(uri) > len(s) && uri[:len(s)] == s {
			return // a part of what was asked for counts
		}
	}
	v.report("/params/uri", "changes of %q were not asked for", uri)
}

func checkListenScoped(v *view) {
	if v.x == nil || v.x.req == nil || v.x.req.method != "subscriptions/listen" {
		return
	}
	if v.m.Method == "notifications/progress" || v.m.Method == "notifications/message" {
		v.report("/method", "%s belongs to a request and came on a subscription", v.m.Method)
	}
}

func checkListenResult(v *view) {
	if v.req == nil || v.req.method != "subscriptions/listen" {
		return
	}
	if got := v.result("_meta", metaSubscription); string(got) != string(v.req.id) {
		v.report("/result/_meta", "the end of the subscription does not name it: %s", or(string(got), "nothing"))
	}
}

func checkNeverAcked(v *view) {
	if v.req == nil || v.req.method != "subscriptions/listen" {
		return
	}
	if s := v.l.listens[v.req.id]; s != nil && !s.acked {
		v.report("/result", "the subscription ended and was never acknowledged")
	}
}

func checkServerCancels(v *view) {
	if v.m.Method != "notifications/cancelled" || v.l.era == "legacy" {
		return
	}
	id := rpc.ID(rpc.Member(v.m.Params, "requestId"))
	if r := v.l.out[id]; r == nil || r.method != "subscriptions/listen" {
		v.report("/params/requestId", "a server may cancel subscriptions only, and %s is none", or(string(id), "nothing"))
	}
}

func checkUnknownNotification(v *view) {
	if v.m.Kind != rpc.Notification {
		return
	}
	switch v.m.Method {
	case "notifications/progress", "notifications/message", "notifications/cancelled", ackMethod,
		"notifications/tasks/status", "notifications/elicitation/complete":
	default:
		if filterMember(v.m.Method) == "" {
			v.report("/method", "%s is no notification of the specification", v.m.Method)
		}
	}
}

func checkCancelsUnknown(v *view) {
	if v.m.Method != "notifications/cancelled" {
		return
	}
	id := rpc.ID(rpc.Member(v.m.Params, "requestId"))
	if r := v.l.out[id]; r == nil || r.answered != 0 {
		v.report("/params/requestId", "no open request has the id %s", or(string(id), "nothing"))
	}
}

// streamRules are about what comes on which stream.
func streamRules() []rule {
	return []rule{
		{id: "stream-after-response", severity: Warning, against: Server, when: onTold, modern: receiving, check: checkAfterResponse},
		{id: "stream-wrong-response", severity: Error, against: Server, when: onReply, modern: receiving, legacy: sendingBefore, check: checkWrongStream},
	}
}

func checkAfterResponse(v *view) {
	if v.x != nil && v.x.req != nil && v.x.req.answered != 0 {
		v.report("/method", "%s comes on the stream of a request that was answered", v.m.Method)
	}
}

func checkWrongStream(v *view) {
	if v.x != nil && v.x.req != nil && v.req != nil && v.x.req != v.req {
		v.report("/id", "the response to request %s comes on the stream of request %s", v.req.id, v.x.req.id)
	}
}
