package emit

import (
	"testing"

	"github.com/qdgen/qd/ssa"
)

// No value is named like what the text needs: const bool apart = apart(x, y) calls itself.
func TestTemporaryNames(t *testing.T) {
	for op, name := range temporaryNames {
		if reserved[name] || cLibrary[name] {
			t.Errorf("results of %v are named %s, which the text has for something else", op, name)
		}
	}
}

// No function is named like a macro, a variable or a type of a text, or of what compilers declare.
func TestNamesOfTheText(t *testing.T) {
	for _, name := range []string{"offset_of", "qd_block_memory", "qd_stack", "_setjmp", "size_t", "any", "uint4", "longlong4_16a", "float32x8"} {
		if got := Symbol(&ssa.Func{Name: name}); got == name {
			t.Errorf("a function %s has the name of something else in the text", got)
		}
	}
}
