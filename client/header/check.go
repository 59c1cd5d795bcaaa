package header

import "errors"

// Check says why an HTTP header cannot be sent (RFC 9110, section 5). It does not
// repeat the value, which may be secret.
func Check(name, value string) error {
	if !token(name) {
		return errors.New("the name of a header has only letters, digits and !#$%&'*+-.^_`|~")
	}
	for i := range len(value) {
		if c := value[i]; c < ' ' && c != '\t' || c == 0x7f {
			return errors.New("the value of a header has no line ends and no other control characters")
		}
	}
	return nil
}
