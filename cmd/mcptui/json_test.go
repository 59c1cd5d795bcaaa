package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"mcptui/client/rpc"
)

// member finds a part of the one JSON document that raw must hold, by a path of
// names and indices; "." is the whole.
func member(raw []byte, path string) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	var doc json.RawMessage
	if err := d.Decode(&doc); err != nil {
		return nil, fmt.Errorf("not JSON: %w\n%s", err, raw)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("more than one JSON document:\n%s", raw)
	}
	at := []byte(doc)
	for name := range strings.SplitSeq(strings.Trim(path, "."), ".") {
		if name == "" {
			continue
		}
		var next []byte
		if n, err := strconv.Atoi(name); err == nil && at[0] == '[' {
			for i, e := range rpc.Elements(at) {
				if i == n {
					next = e
				}
			}
		} else {
			next = rpc.Member(at, name)
		}
		if next == nil {
			return nil, fmt.Errorf("no %q at %q in %s", name, path, doc)
		}
		at = next
	}
	return at, nil
}

// compact takes the space out of JSON, and leaves anything else as it is.
func compact(raw []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}
