package diag

import (
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/qdgen/qd/internal/memo"
)

// PanicOnBug has [Bug] panic: for tests of qdgen's own.
var PanicOnBug bool

// bugs are those that were reported.
var bugs memo.Map[string, bool]

// Bug reports a panic in work on a kernel for which nobody waits: it must not stop the launch of
// another kernel, nor be lost. It is for deferred functions, and reports each kernel once in a process.
func Bug(kernel string, fault any) {
	if PanicOnBug {
		panic(fault)
	}
	if _, again := bugs.LoadOrStore(kernel, true); again {
		return
	}
	slog.Warn(fmt.Sprintf("qd: bug in qdgen while preparing kernel %s; the kernel was not launched: %v", kernel, fault),
		"help", "please report it with the kernel, at https://github.com/qdgen/qd/issues", "stack", string(debug.Stack()))
}
