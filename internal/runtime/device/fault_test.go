package device

import (
	"errors"
	"testing"

	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/fault"
	"github.com/qdgen/qd/ssa/target/abi"
)

// A kernel that got no memory for the arrays of its lanes has stopped at none of its checks.
func TestFaultWithoutSite(t *testing.T) {
	f := faults{kernel: "k", dim: dims.Of(100), lanes: 1}
	var e *fault.Fault
	if err := f.fault(&fault.Record{State: fault.Set, Site: abi.NoMemory, Thread: 7}); !errors.As(err, &e) ||
		err.Error() != "qd: out of memory: the threads of a block have local arrays for which the system has no memory (kernel k, thread 7)" {
		t.Errorf("%v", err)
	}
}
