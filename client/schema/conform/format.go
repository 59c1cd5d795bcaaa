package conform

import (
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/yosida95/uritemplate/v3"
)

// formatted reports whether text is of a format; what is unknown fits.
func (d *Document) formatted(format, text string) bool {
	if format == "regex" {
		_, err := d.o.Pattern(text)
		return err == nil
	}
	check := formats(format)
	return check == nil || check(text)
}

// formats gives the check of a format (JSON Schema Validation, "Defined
// Formats"), nil for an unknown one. It is no table: a table would be made when a
// program starts.
func formats(name string) func(string) bool {
	switch name {
	case "date-time":
		return isDateTime
	case "date":
		return isDate
	case "time":
		return isTime
	case "duration":
		return isDuration
	case "email":
		return isEmail
	case "hostname":
		return isHostname
	case "ipv4":
		return isIPv4
	case "ipv6":
		return isIPv6
	case "uri", "iri":
		return func(s string) bool { u, ok := parseURI(s); return ok && u.IsAbs() }
	case "uri-reference", "iri-reference":
		return func(s string) bool { _, ok := parseURI(s); return ok && !strings.Contains(s, `\`) }
	case "uri-template":
		return func(s string) bool { _, err := uritemplate.New(s); return err == nil }
	case "uuid":
		return isUUID
	case "json-pointer":
		return isPointer
	case "relative-json-pointer":
		return isRelativePointer
	}
	return nil
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

func isDateTime(s string) bool {
	return len(s) > 11 && (s[10] == 'T' || s[10] == 't') && isDate(s[:10]) && isTime(s[11:])
}

// isTime is the full-time of RFC 3339, section 5.6. A leap second is one in UTC.
func isTime(s string) bool {
	hour, minute, second, rest, ok := clock(s)
	if !ok {
		return false
	}
	if fraction, ok := strings.CutPrefix(rest, "."); ok {
		rest = strings.TrimLeft(fraction, "0123456789")
		if len(rest) == len(fraction) {
			return false
		}
	}
	offset := 0
	switch {
	case rest == "Z" || rest == "z":
	case len(rest) == 6 && (rest[0] == '+' || rest[0] == '-'):
		h, m, _, _, ok := clock(rest[1:] + ":00")
		if !ok {
			return false
		}
		if offset = h*60 + m; rest[0] == '-' {
			offset = -offset
		}
	default:
		return false
	}
	utc := ((hour*60+minute-offset)%(24*60) + 24*60) % (24 * 60)
	return second < 60 || utc == 23*60+59
}

// clock reads hh:mm:ss from the start of s.
func clock(s string) (hour, minute, second int, rest string, ok bool) {
	if len(s) < 8 || s[2] != ':' || s[5] != ':' {
		return 0, 0, 0, "", false
	}
	var n [3]int
	for i := range n {
		tens, ones := s[3*i]-'0', s[3*i+1]-'0'
		if tens > 9 || ones > 9 {
			return 0, 0, 0, "", false
		}
		n[i] = int(tens)*10 + int(ones)
	}
	return n[0], n[1], n[2], s[8:], n[0] < 24 && n[1] < 60 && n[2] <= 60
}

// isDuration is the duration of RFC 3339, appendix A.
func isDuration(s string) bool {
	s, ok := strings.CutPrefix(s, "P")
	if !ok || s == "" {
		return false
	}
	if weeks, ok := strings.CutSuffix(s, "W"); ok {
		return weeks != "" && strings.Trim(weeks, "0123456789") == ""
	}
	days, clock, timed := strings.Cut(s, "T")
	return inUnits(days, "YMD") && (!timed || clock != "" && inUnits(clock, "HMS"))
}

// inUnits reads numbers with units that come in this order.
func inUnits(s, units string) bool {
	for s != "" {
		rest := strings.TrimLeft(s, "0123456789")
		if len(rest) == len(s) || rest == "" {
			return false
		}
		i := strings.IndexByte(units, rest[0])
		if i < 0 {
			return false
		}
		s, units = rest[1:], units[i+1:]
	}
	return true
}

// isEmail is the Mailbox of RFC 5321, section 4.1.2, without quoted pairs.
func isEmail(s string) bool {
	i := strings.LastIndexByte(s, '@')
	if i < 0 || i > 64 || len(s) > 254 {
		return false
	}
	local, domain := s[:i], s[i+1:]
	if quoted := len(local) > 1 && local[0] == '"' && local[len(local)-1] == '"'; quoted {
		if strings.ContainsAny(local[1:len(local)-1], `\"`) {
			return false
		}
	} else {
		for atom := range strings.SplitSeq(local, ".") {
			if atom == "" || strings.ContainsFunc(atom, notAtom) {
				return false
			}
		}
	}
	if literal, ok := strings.CutPrefix(domain, "["); ok {
		literal, ok = strings.CutSuffix(literal, "]")
		if six, is := strings.CutPrefix(literal, "IPv6:"); is {
			return ok && isIPv6(six)
		}
		return ok && isIPv4(literal)
	}
	return isHostname(domain)
}

func notAtom(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("!#$%&'*+-/=?^_`{|}~", r)
}

// isHostname is that of RFC 1123, section 2.1.
func isHostname(s string) bool {
	s = strings.TrimSuffix(s, ".")
	if len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' || strings.ContainsFunc(label, notInLabel) {
			return false
		}
	}
	return true
}

func notInLabel(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-'
}

func isIPv4(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is4()
}

func isIPv6(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() && a.Zone() == ""
}

func parseURI(s string) (*url.URL, bool) {
	u, err := url.Parse(s)
	if err != nil {
		return nil, false
	}
	if host := u.Hostname(); strings.Contains(host, ":") && (!strings.Contains(u.Host, "[") || !isIPv6(host)) {
		return nil, false
	}
	return u, true
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return true
}

func isPointer(s string) bool {
	if s != "" && s[0] != '/' {
		return false
	}
	for i := range len(s) {
		if s[i] == '~' && (i+1 == len(s) || s[i+1] != '0' && s[i+1] != '1') {
			return false
		}
	}
	return true
}

func isRelativePointer(s string) bool {
	rest := strings.TrimLeft(s, "0123456789")
	digits := s[:len(s)-len(rest)]
	if digits == "" || len(digits) > 1 && digits[0] == '0' {
		return false
	}
	return rest == "#" || isPointer(rest)
}
