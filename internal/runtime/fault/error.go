package fault

import (
	"fmt"
	"strings"
)

// A Fault is a kernel that did what Go panics for. Package qd has the same, with its documentation.
type Fault struct {
	Kernel string
	Reason string
	File   string
	Line   int
	Col    int
	Thread []int
	Index  int
	Len    int
}

// Error implements error.
func (e *Fault) Error() string {
	var b strings.Builder
	b.WriteString("qd: ")
	switch {
	case e.File != "" && e.Col > 0:
		fmt.Fprintf(&b, "%s:%d:%d: ", e.File, e.Line, e.Col)
	case e.File != "":
		fmt.Fprintf(&b, "%s:%d: ", e.File, e.Line)
	}
	fmt.Fprintf(&b, "%s (kernel %s", e.Reason, e.Kernel)
	for axis, i := range e.Thread {
		if axis == 0 {
			b.WriteString(", thread")
		} else {
			b.WriteString(",")
		}
		fmt.Fprint(&b, " ", i)
	}
	return b.String() + ")"
}
