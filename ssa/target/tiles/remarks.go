package tiles

import (
	"fmt"
	"slices"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// pass is who says what this package says.
const pass = "tiles"

// tellLoop says that a loop with products loads ahead, or why it does not.
func (l *lowering) tellLoop(loop *ssa.Instr, why string) {
	if l.remarks == nil {
		return
	}
	if why != "" {
		l.remarks.On(pass, ssa.Missed, loop, "the loop is not a pipeline: %s", why)
		return
	}
	var names []string
	for _, p := range l.pipelines[loop].loads {
		names = append(names, nameOf(p.by.Result()))
	}
	l.remarks.On(pass, ssa.Done, loop, "the loop is a pipeline of %d stages: %s of later turns %s copied while one is multiplied", l.machine.Stages,
		strings.Join(names, " and "), map[bool]string{true: "is", false: "are"}[len(names) == 1])
}

// tellHomes says of each tile where its elements live.
func (l *lowering) tellHomes(body *ssa.Block) {
	if l.remarks == nil {
		return
	}
	body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpTileMake, ssa.OpTileReduce, ssa.OpTileScan, ssa.OpTileDot:
			for _, v := range in.Results {
				if isTile(v) {
					l.tellHome(in, v)
				}
			}
		}
	})
}

// tellHome says where the elements of a tile live.
func (l *lowering) tellHome(in *ssa.Instr, v *ssa.Value) {
	t, s := tileType(v), l.homes[v]
	switch {
	case l.virtual[v] && len(l.uses[v]) == 1:
		use := "used"
		if by := operation(l.uses[v][0].in); by.Op == ssa.OpFor {
			use = "stored"
		}
		l.remarks.On(pass, ssa.Done, in, "%s has no memory: an element is computed where it is %s", nameOf(v), use)
	case l.virtual[v]:
		l.remarks.On(pass, ssa.Done, in, "%s has no memory: an element is computed again wherever it is used", nameOf(v))
	case s == nil: // made for the effects of its code
	case s.spread:
		l.remarks.On(pass, ssa.Done, in, "%s is in registers of the block's %d threads, %d elements in each", nameOf(v), l.machine.Threads, ssa.PerThread(t.Dims[1], t.Dims[2], l.machine.Threads))
	default:
		l.remarks.On(pass, ssa.Note, in, "%s is in memory of the block%s: %d bytes%s", nameOf(v), l.whyMemory(in), t.Len()*t.Elem.Size()*max(s.stages, 1), places(s.stages))
	}
}

// whyMemory is why the elements of a tile are not computed where they are used, in the form of an addition; "" where
// that is no question.
func (l *lowering) whyMemory(in *ssa.Instr) string {
	if in.Op != ssa.OpTileMake {
		return ""
	}
	if l.effects(in.Blocks[0]).Has(visible) {
		return ", because to compute an element has effects"
	}
	if why := l.whyStored(in); why != "" {
		return ", because " + why
	}
	return ""
}

// places tells of memory for several turns of a pipeline.
func places(stages int) string {
	if stages == 0 {
		return ""
	}
	return fmt.Sprintf(", for %d turns of the pipeline", stages)
}

// nameOf is a tile in words.
func nameOf(v *ssa.Value) string {
	t := tileType(v)
	var dims []string
	for _, n := range slices.Clone(t.Dims[:])[len(t.Dims)-t.Rank:] {
		dims = append(dims, fmt.Sprint(n))
	}
	size := fmt.Sprintf("%s of %v", strings.Join(dims, "\u00d7"), t.Elem)
	if v.Name == "" || v.Name == "_" {
		return "the tile of " + size
	}
	return v.Name + " (" + size + ")"
}
