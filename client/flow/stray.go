package flow

import "fmt"

// openAs has the transport opened; what an earlier one brought counts no more.
func (f *Flow) openAs(how How) {
	f.strays, f.stray = 0, ""
	f.do(Open{How: how})
}

// strayed counts what came and is no message.
func (f *Flow) strayed(line []byte) {
	f.strays++
	f.stray = excerpt(line)
}

// strayWords tells of the newest n lines that were no messages, and what to do about
// them; "" for none. The last one is quoted, with what could move a cursor escaped.
func (f *Flow) strayWords(n int) string {
	if n <= 0 {
		return ""
	}
	where, remedy := "", ""
	if f.cfg.Transport == Stdio { // stdout is for messages alone (2026-07-28, stdio)
		where, remedy = " on standard output", "; logs belong on standard error"
	}
	if n == 1 {
		return fmt.Sprintf("1 line%s was no message: %q%s", where, f.stray, remedy)
	}
	return fmt.Sprintf("%d lines%s were no messages, the last: %q%s", n, where, f.stray, remedy)
}
