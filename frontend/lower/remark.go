package lower

import (
	"fmt"
	"go/ast"

	"github.com/qdgen/qd/ssa"
)

// remark says something about a piece of the user's code. Of libraries it says nothing: users have not written them.
func (b *builder) remark(pass string, kind ssa.RemarkKind, at ast.Node, format string, args ...any) {
	if hear := b.m.Opts.Remark; hear != nil && !b.InLibrary() {
		hear(ssa.Remark{Pass: pass, Kind: kind, Func: b.Func.Name, Pos: b.Pos(at.Pos()), Text: fmt.Sprintf(format, args...)})
	}
}
