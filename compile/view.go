package compile

import (
	"fmt"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// AllStages asks a [View] for the module after each stage and each pass.
const AllStages = "all"

// A View is an Observer that prints the module after one stage or pass, or after all of them. If a pass runs several
// times, it shows the last time.
type View struct {
	After string
	text  strings.Builder
}

// See is an [Observer].
func (v *View) See(at At, m *ssa.Module) {
	switch {
	case v.After == AllStages:
		fmt.Fprintf(&v.text, "== after %v\n%s\n", at, m)
	case at.Pass == "" && at.Stage.Name == v.After, at.Pass == v.After && at.Stage == Optimize:
		v.text.Reset()
		v.text.WriteString(m.String())
	}
}

// String returns the printed modules.
func (v *View) String() string { return v.text.String() }
