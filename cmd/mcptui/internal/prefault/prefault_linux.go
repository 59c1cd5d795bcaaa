//go:build amd64 || arm64

package prefault

import (
	"syscall"
	"unsafe"
)

// Advice of madvise(2), since Linux 5.14. An older kernel refuses it.
const (
	populateRead  = 22
	populateWrite = 23
)

// How much is mapped, in bytes.
const (
	heap      = 1 << 20 // what the initialisation of all packages allocates, and a small call
	constants = 2 << 20 // types and strings, which come first; the tables of stack traces lie behind them
)

// frontier is memory behind which the heap has not been used yet: pages of its own,
// which small objects do not share.
var frontier *[16 << 10]byte

func init() {
	frontier = new([16 << 10]byte)
	populate(uintptr(unsafe.Pointer(frontier)), heap, populateWrite)
	frontier = nil
	base, segments := program(auxiliary())
	for _, s := range segments {
		if s.kind != loaded {
			continue
		}
		switch at := base + uintptr(s.address); s.access {
		case readable | executable:
			populate(at, uintptr(s.size), populateRead)
		case readable:
			populate(at, min(uintptr(s.size), constants), populateRead)
		}
	}
}

// populate maps the whole pages of a range. An error is no fault: each page is
// mapped when it is touched, as without this.
func populate(at, size, advice uintptr) {
	page := uintptr(syscall.Getpagesize())
	end := (at + size) &^ (page - 1)
	at = (at + page - 1) &^ (page - 1)
	if at < end {
		_, _, _ = syscall.RawSyscall(syscall.SYS_MADVISE, at, end-at, advice)
	}
}

// segment is a program header of a 64-bit ELF file.
type segment struct {
	kind, access uint32
	_            uint64 // offset in the file
	address      uint64
	_            uint64
	size         uint64 // in the file
	_, _         uint64
}

// Kinds of segments, and what may be done with them.
const (
	loaded = 1 // PT_LOAD
	table  = 6 // PT_PHDR, the program headers themselves

	executable = 1
	readable   = 4
)

// pair is one thing that the kernel tells a program at its start.
type pair struct{ about, value uintptr }

// auxiliary reads what the kernel told this program, see proc_pid_auxv(5); nil where
// it cannot be read.
func auxiliary() []pair {
	var told [64]pair
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&told)), unsafe.Sizeof(told))
	fd, err := syscall.Open("/proc/self/auxv", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	n, err := syscall.Read(fd, raw)
	_ = syscall.Close(fd) // it was only read
	if err != nil {
		return nil
	}
	return told[:n/int(unsafe.Sizeof(told[0]))]
}

// program finds the headers of this program, and how far it lies from the addresses
// in them.
func program(told []pair) (base uintptr, segments []segment) {
	const at, number = 3, 5 // AT_PHDR, AT_PHNUM
	var first, n uintptr
	for _, p := range told {
		switch p.about {
		case at:
			first = p.value
		case number:
			n = p.value
		}
	}
	if first == 0 {
		return 0, nil
	}
	segments = unsafe.Slice(*(**segment)(unsafe.Pointer(&first)), n) // mapped as long as the program runs
	for _, s := range segments {
		if s.kind == table {
			return first - uintptr(s.address), segments
		}
	}
	return 0, nil // then nothing says where the rest lies
}
