package text

import (
	"fmt"
	"strconv"
	"time"
)

// Duration words how long something took, in at most seven columns: "0 ms",
// "840 ms", "1.4 s", "59 s", "2m 05s", "3h 10m", "4d 02h".
func Duration(d time.Duration) string {
	neg := ""
	if d < 0 {
		neg, d = "-", -d
	}
	switch {
	case d < time.Second:
		return fmt.Sprintf("%s%d ms", neg, d.Milliseconds())
	case d < 10*time.Second:
		return fmt.Sprintf("%s%.1f s", neg, d.Truncate(100*time.Millisecond).Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%s%d s", neg, d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%s%dm %02ds", neg, d/time.Minute, d%time.Minute/time.Second)
	case d < 24*time.Hour:
		return fmt.Sprintf("%s%dh %02dm", neg, d/time.Hour, d%time.Hour/time.Minute)
	}
	return fmt.Sprintf("%s%dd %02dh", neg, d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
}

// Left words what remains until a deadline: "in 4m 32s", or "12 s ago" once
// it has passed.
func Left(d time.Duration) string {
	switch {
	case d >= time.Second:
		return "in " + whole(d)
	case d > -time.Second:
		return "now"
	}
	return whole(-d) + " ago"
}

// whole is Duration without tenths, for numbers that tick.
func whole(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%d s", d/time.Second)
	}
	return Duration(d)
}

// Size words a number of bytes: "512 B", "1.4 KB", "60 MB"; a KB is 1024.
func Size(n int64) string {
	if n < 1024 {
		return strconv.FormatInt(n, 10) + " B"
	}
	f, units := float64(n), "KMGTPE"
	i := -1
	for f >= 1023.5 && i < len(units)-1 {
		f /= 1024
		i++
	}
	if f < 9.95 {
		return fmt.Sprintf("%.1f %cB", f, units[i])
	}
	return fmt.Sprintf("%.0f %cB", f, units[i])
}

// Count words a number of things: "1 ask", "3 asks".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
