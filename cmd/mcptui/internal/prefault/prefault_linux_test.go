//go:build amd64 || arm64

package prefault

import (
	"reflect"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestTheProgramIsFoundWhereItLies(t *testing.T) {
	base, segments := program(auxiliary())
	holds := func(address uintptr, access uint32) bool {
		for _, s := range segments {
			start := base + uintptr(s.address)
			if s.kind == loaded && s.access == access && start <= address && address < start+uintptr(s.size) {
				return true
			}
		}
		return false
	}
	code := reflect.ValueOf(populate).Pointer()
	require.True(t, holds(code, readable|executable), "the code at %#x lies in no segment of %#v", code, segments)
	word := "a constant"
	constant := uintptr(unsafe.Pointer(unsafe.StringData(word)))
	require.True(t, holds(constant, readable), "the constant at %#x lies in no segment of %#v", constant, segments)
}

func TestWithoutWordOfTheKernelNothingIsFound(t *testing.T) {
	for name, told := range map[string][]pair{
		"nothing":      nil,
		"other things": {{6, 4096}, {0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			base, segments := program(told)
			require.Zero(t, base)
			require.Empty(t, segments)
		})
	}
}

func TestPopulateMapsWholePages(t *testing.T) {
	page := syscall.Getpagesize()
	memory, err := syscall.Mmap(-1, 0, 8*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, syscall.Munmap(memory)) })
	start := uintptr(unsafe.Pointer(&memory[0]))
	if _, _, errno := syscall.RawSyscall(syscall.SYS_MADVISE, start, 0, populateWrite); errno == syscall.EINVAL {
		t.Skip("this kernel maps nothing beforehand: it is older than 5.14")
	}

	populate(start+1, uintptr(5*page), populateWrite) // from within page 0 to within page 5

	mapped := make([]byte, 8)
	_, _, errno := syscall.RawSyscall(syscall.SYS_MINCORE, start, uintptr(8*page), uintptr(unsafe.Pointer(&mapped[0])))
	require.Zero(t, errno)
	for i := range mapped {
		mapped[i] &= 1
	}
	require.Equal(t, []byte{0, 1, 1, 1, 1, 0, 0, 0}, mapped)
}

func TestPopulateOfWhatIsNotThereIsNoFault(t *testing.T) {
	require.NotPanics(t, func() {
		populate(0, 1<<20, populateWrite)
		populate(^uintptr(0)-1<<20, 1<<19, populateRead)
	})
}
