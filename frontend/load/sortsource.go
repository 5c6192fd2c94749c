package load

import (
	"go/ast"
	"go/types"
)

// Package sort does two things that kernels cannot: it swaps the elements of a slice of any type by reflection, and
// makes pointers to structs that hold interfaces. Here sort.Slice and its kin are generic, for calls with slices, and
// what sort.Reverse gives is the struct itself, which like a pointer is not equal to another one. The lines stay where
// they are.

// sortSources are the parts of the files of package sort that differ.
var sortSources = map[string][][2]string{
	"slice.go": {
		{"\t\"internal/reflectlite\"", ""},
		{"(x any, less ", "[S ~[]E, E any](x S, less "},
		{"\trv := reflectlite.ValueOf(x)", ""},
		{"reflectlite.Swapper(x)", "func(i, j int) { x[i], x[j] = x[j], x[i] }"},
		{"rv.Len()", "len(x)"},
	},
	"sort.go": {
		{"\t// This embedded Interface permits Reverse to use the methods of", "\t_ [0]func()"},
		{"return &reverse{data}", "return reverse{Interface: data}"},
	},
}

// sortHint is advice on an error that has to do with functions which are generic here.
func sortHint(at faulty) string {
	for n := 0; at.up(n) != nil; n++ {
		call, isCall := at.up(n).(*ast.CallExpr)
		fun, _ := at.up(n).(ast.Expr)
		if isCall {
			fun = call.Fun
		}
		sel, ok := fun.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		f, ok := at.info.Uses[sel.Sel].(*types.Func)
		if ok && f.Pkg() != nil && f.Pkg().Path() == "sort" && f.Signature().TypeParams().Len() > 0 {
			return "in a kernel, call sort." + f.Name() + " by its name, with a slice and not with an any that holds one"
		}
	}
	return ""
}
