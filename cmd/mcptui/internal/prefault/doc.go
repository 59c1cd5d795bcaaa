// Package prefault maps memory that every run touches before most packages are
// initialised: a few calls to the kernel instead of some hundred page faults. A run
// of a command line tool is so short that they are a good part of it, above all in a
// virtual machine, where a fault may cost 10 µs: there a run starts a fifth faster.
//
// It is imported for that alone, by main. The runtime initialises packages in the
// order of their import paths once what they import is ready, and this one imports
// next to nothing, so that it comes before most of the standard library. Where the
// kernel cannot do it, nothing happens.
package prefault
