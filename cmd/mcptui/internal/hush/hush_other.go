//go:build !unix && !windows

package hush

import (
	"errors"
	"os"
)

// Typing cannot be hidden here.
func Typing(*os.File) (restore func() error, err error) {
	return nil, errors.ErrUnsupported
}
