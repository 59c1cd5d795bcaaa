package main

import (
	"strings"
	"time"

	"mcptui/client/flow"
	"mcptui/client/schema"
	"mcptui/client/trace"
)

// checkRevision refuses a --protocol-version that can be none, and one that is not
// of the era asked for. A date that no revision has yet is let through: servers are
// tested with it (2026-07-28, Versioning: versions are dates, YYYY-MM-DD).
func checkRevision(era, version string) error {
	if version == "" {
		return nil
	}
	if _, err := time.Parse(time.DateOnly, version); err != nil {
		known := flow.Versions()
		return usagef("--protocol-version %q is none of %s, nor a date as they are%s", version, strings.Join(known, ", "), schema.DidYouMean(version, known))
	}
	of := trace.Legacy
	if flow.IsModern(version) {
		of = trace.Modern
	}
	if era != "auto" && era != string(of) {
		return usagef("--era %s and --protocol-version %s exclude each other: that version is of the %s era; leave one of them out", era, version, of)
	}
	return nil
}
