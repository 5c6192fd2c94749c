package initial

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/single"
)

// inSingle is the code of a function of package qd that, for float32, is one of package single, which is no source of
// kernels. It is nil for any other function.
func (f *frame) inSingle(id *ast.Ident, obj *types.Func) *code {
	inSingle := single.Functions[obj.Name()]
	if inSingle == nil || obj.Pkg() == nil || obj.Pkg().Path() != load.QDPath || obj.Signature().Recv() != nil {
		return nil
	}
	args := f.info.Instances[id].TypeArgs
	if args.Len() != 1 {
		panic(f.machine.failed("it uses %s without type arguments", obj.Name()))
	}
	t := f.subst(args.At(0))
	c := &code{sig: obj.Signature(), targs: map[*types.TypeParam]types.Type{obj.Signature().TypeParams().At(0): t}}
	if t, ok := t.Underlying().(*types.Basic); ok && t.Kind() == types.Float32 {
		c.host = func(args []any) any { return float64(inSingle(float32(args[0].(float64)))) }
	} else {
		host := hosts["math."+obj.Name()]
		c.host = func(args []any) any { return hostCall(host, args) }
	}
	return c
}
