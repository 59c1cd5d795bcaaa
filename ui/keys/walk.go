package keys

// Mover is a list in which a row is selected: it moves by rows or by pages, and
// stops at its ends.
type Mover interface {
	Move(rows int)
	Page(pages int)
}

// far is further than any list is long.
const far = 1 << 30

// Walk moves m as an intent says, and reports whether the intent was one of
// moving.
func Walk(m Mover, i Intent) bool {
	switch i {
	case Up:
		m.Move(-1)
	case Down:
		m.Move(1)
	case PageUp:
		m.Page(-1)
	case PageDown:
		m.Page(1)
	case First:
		m.Move(-far)
	case Last:
		m.Move(far)
	default:
		return false
	}
	return true
}
