package compile

import (
	"fmt"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// AllStages is what a [View] is of that has a module after each stage and each pass.
const AllStages = "all"

// A View collects what a module is after a stage or a pass, or after all of them. If a pass runs several times, its last round
// counts.
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

// String is what has been seen.
func (v *View) String() string { return v.text.String() }
