package initial

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/qdgen/qd/frontend/load"
)

// intSize is how many bits int and uint have where packages are initialized, which is this program. In a kernel they
// have 64, and so they have for the type checker.
var intSize = strconv.IntSize

// constant is a constant expression as a value of a type.
func (f *frame) constant(e ast.Expr, t types.Type) any {
	uses := func(id *ast.Ident) types.Object { return f.info.Uses[id] }
	if intSize != 64 && f.machine.dependsOnInt(e, uses, map[*types.Const]bool{}) {
		panic(f.machine.failed("it uses a constant that depends on how many bits an int has"))
	}
	return f.machine.constantOf(f.info.Types[e].Value, t)
}

// dependsOnInt reports whether the value of a constant expression may depend on how many bits an int has: so do the
// complement of a number, sizes in memory, and what is computed of these.
func (m *machine) dependsOnInt(e ast.Expr, meaning func(*ast.Ident) types.Object, seen map[*types.Const]bool) (depends bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		m.step(1)
		switch n := n.(type) {
		case *ast.UnaryExpr:
			depends = depends || n.Op == token.XOR
		case *ast.Ident:
			switch obj := meaning(n).(type) {
			case *types.Builtin:
				depends = depends || obj.Pkg() == types.Unsafe
			case *types.Const:
				if obj.Pkg() == nil || seen[obj] {
					break
				}
				seen[obj] = true
				value := m.prog.ConstValue(obj)
				within := func(id *ast.Ident) types.Object { return m.prog.Info.Uses[id] }
				if load.IsLibrary(obj.Pkg()) {
					within = func(id *ast.Ident) types.Object { return obj.Pkg().Scope().Lookup(id.Name) }
				}
				depends = depends || value == nil || m.dependsOnInt(value, within, seen)
			}
		}
		return !depends
	})
	return depends
}
