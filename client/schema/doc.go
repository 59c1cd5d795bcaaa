// Package schema turns a JSON Schema into a form, a form into JSON, and JSON
// back into the form.
//
// It has three parts. A [Form] is what a schema (2020-12 or draft-07, and what
// people write in their place) asks for: a tree of fields, with findings about
// the schema itself. A [Draft] is what a person has typed so far: text that may
// be unfinished, values, null, and members left out, kept apart from the
// schema. [Form.Validate] is the one judge of values, for a field, a form, a JSON
// editor and arguments on a command line.
//
// Nothing here fails on a bad schema: what cannot be understood becomes a JSON
// field with a skeleton and a finding. References inside the schema are
// followed, cycles included; references out of it are never fetched. Values
// keep their bytes: numbers stay as they were written, an untouched default
// goes back as it came, unknown members survive.
//
// The package does no input or output and draws nothing.
package schema
