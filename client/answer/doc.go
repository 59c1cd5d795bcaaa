// Package answer answers what a server asks without a person: from a file of
// answers, or by a command of the user's for sampling.
//
// A [Book] is a file of answers. It is given each ask as plain data and says
// what to reply, with the scalars of the file coerced to what the asked schema
// wants, and with what does not fit. A [Sampler] runs a command. A [Journal]
// writes what was answered as such a file.
//
// The package sends nothing and knows nothing of eras; what a rejection means
// on the wire is for its caller.
package answer
