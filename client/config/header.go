package config

import (
	"errors"

	"golang.org/x/net/http/httpguts"
)

// CheckHeader says why an HTTP header cannot be sent (RFC 9110, Fields). It does not
// repeat the value, which may be secret.
func CheckHeader(name, value string) error {
	switch {
	case !httpguts.ValidHeaderFieldName(name):
		return errors.New("the name of a header has only letters, digits and !#$%&'*+-.^_`|~")
	case !httpguts.ValidHeaderFieldValue(value):
		return errors.New("the value of a header has no line ends and no other control characters")
	}
	return nil
}
