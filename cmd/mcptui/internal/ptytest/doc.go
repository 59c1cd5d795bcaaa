// Package ptytest runs the real binary on a pseudo-terminal with an emulator
// behind it, for the few things that only the whole program can show: what it
// draws first, how it ends, and whether the terminal is as it was.
//
//	p := ptytest.Start(t, ptytest.Options{Args: []string{"--era", "legacy"}})
//	p.WaitFor("book_table")
//	p.Type("q")
//	require.Equal(t, 0, p.Wait())
//	p.RequireRestored()
//
// The emulator answers the program's queries, or stays silent as some
// terminals do. Everything else is tested in process, with
// ui/internal/screentest. The package is empty but on Linux and macOS.
package ptytest
