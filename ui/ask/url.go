package ask

import (
	"fmt"
	"net"
	"net/url"
	"strings"
	"unicode"

	"mcptui/client/rpc"
	"mcptui/client/session"
	"mcptui/ui/draw"
	"mcptui/ui/keys"
	"mcptui/ui/text"
)

// Link is a URL that a server wants opened, taken apart for a person to judge.
// Nothing is fetched.
type Link struct {
	Raw      string
	Before   string // what stands before the host, the host, what follows
	Host     string
	After    string
	Refused  string   // why it must not be opened; "" where it may, with consent
	Warnings []string // what to look at before
}

// Inspect takes a URL apart.
func Inspect(raw string) Link {
	l := Link{Raw: raw}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme == "" {
		l.Before, l.Refused = raw, "it is not a URL"
		return l
	}
	if u.Scheme != "https" && u.Scheme != "http" {
		l.Before, l.Refused = raw, fmt.Sprintf("its scheme is %s: only https and http are opened", u.Scheme)
		return l
	}
	if u.Hostname() == "" {
		l.Before, l.Refused = raw, "it names no host"
		return l
	}
	l.split(u)
	l.judge(u)
	return l
}

func (l *Link) split(u *url.URL) {
	i := strings.Index(l.Raw, "://") + 3
	end := i + strings.IndexAny(l.Raw[i:]+"/", "/?#\\")
	if at := strings.LastIndexByte(l.Raw[i:end], '@'); at >= 0 {
		i += at + 1
	}
	l.Before, l.Host, l.After = l.Raw[:i], l.Raw[i:end], l.Raw[end:]
}

func (l *Link) judge(u *url.URL) {
	host := u.Hostname()
	warn := func(format string, args ...any) { l.Warnings = append(l.Warnings, fmt.Sprintf(format, args...)) }
	if u.Scheme == "http" && !loopback(host) {
		warn("not HTTPS: anyone on the way can read and change it")
	}
	if u.User != nil {
		warn("a user name stands before the host: the host is %s, whatever comes before the @", host)
	}
	for _, label := range strings.Split(strings.ToLower(host), ".") {
		if strings.HasPrefix(label, "xn--") {
			warn("punycode in the host: it may look like another name")
			break
		}
	}
	if strings.IndexFunc(host, func(r rune) bool { return r > unicode.MaxASCII }) >= 0 {
		warn("letters outside ASCII in the host: it may look like another name")
	}
	if p := u.Port(); p != "" && p != "443" && p != "80" && !loopback(host) {
		warn("an unusual port: %s", p)
	}
	if ip := net.ParseIP(host); ip != nil && !ip.IsLoopback() {
		warn("the host is an address, not a name")
	}
	if strings.ContainsRune(l.Raw, '\\') {
		warn("a backslash: browsers read it as /")
	}
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (p *Panel) url(a *session.Ask, w With) {
	link := Inspect(rpc.Text(a.Params, "url"))
	p.Buttons = elicitation("Done, go on")
	if link.Refused == "" {
		p.Buttons = append([]Button{{OpenURL, "Open in browser", ""}, {CopyURL, "Copy", keys.Of(keys.Copy)}}, p.Buttons...)
	} else {
		p.Buttons = p.Buttons[1:]
	}
	p.Head = func(t *draw.Theme) []draw.Line {
		// The URL and what is wrong with it first: on a small screen they are
		// what must be in sight.
		out := append(message(t, a), draw.L(t.Text, text.CleanLine(link.Before)).With(draw.Bold(t.Note), text.CleanLine(link.Host)).With(t.Text, text.CleanLine(link.After)))
		if link.Refused != "" {
			out = append(out, draw.L(t.Bad, "✖ not opened: "+text.CleanLine(link.Refused)))
		}
		for _, warn := range link.Warnings {
			out = append(out, draw.L(t.Warn, "⚠ "+text.CleanLine(warn)))
		}
		if w.Seen > 0 {
			out = append(out, draw.L(t.Warn, fmt.Sprintf("⚠ the same URL was asked for before (%s)", text.Count(w.Seen, "time"))))
		}
		if rpc.Text(a.Params, "elicitationId") == "" && a.ID.Key == "" {
			out = append(out, draw.L(t.Warn, "⚠ no elicitationId: the server cannot tell when it is done"))
		}
		return append(out, draw.Line{}, from(t, a, w), draw.L(t.Faint, "Nothing is fetched. The page opens only if you say so."))
	}
}
