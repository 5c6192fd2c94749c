package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// What the type checker says of vectors, matrices and quaternions is right, and
// little help to whoever expects operators, fields and conversions of them: they are arrays
// with methods. The advice here says what to write instead.

// method is the name of a method of a type of this module's, however it is capitalized; "" if it has none.
func (w *typedWalk) method(path, typ, name string) string {
	w.loadOwn(path)
	x := w.ownIndex(path)
	if x == nil {
		return ""
	}
	w.own.mu.Lock()
	defer w.own.mu.Unlock()
	for _, p := range x.of(typ)[strings.ToLower(name)] {
		text := p.file.Src[p.start:p.end]
		if found := word(text[strings.IndexByte(string(text), ')')+2:]); ast.IsExported(found) {
			return found
		}
	}
	return ""
}

// methodOf is the name of a method of a shape.
func (w *typedWalk) methodOf(s shape, name string) string { return w.method(s.path(), s.name(), name) }

// declares reports whether one of this module's packages has a name for kernels.
func (w *typedWalk) declares(path, name string) bool {
	w.loadOwn(path)
	x := w.ownIndex(path)
	return x != nil && x.decls[name] != nil
}

// operatorMethods are the methods for Go's operators, by what the right operand is: one of the same
// kind, or a number.
var operatorMethods = map[token.Token]struct{ same, number string }{
	token.ADD: {"Add", "AddScalar"}, token.SUB: {"Sub", "SubScalar"}, token.MUL: {"Mul", "Scale"}, token.QUO: {"Div", "DivScalar"},
	token.REM: {"Mod", "ModScalar"}, token.INC: {"", "AddScalar"}, token.DEC: {"", "SubScalar"},
	token.AND: {"And", ""}, token.OR: {"Or", ""}, token.XOR: {"Xor", ""}, token.SHL: {"Shl", ""}, token.SHR: {"Shr", ""},
	token.LSS: {"Less", ""}, token.LEQ: {"LessEq", ""}, token.GTR: {"Greater", ""}, token.GEQ: {"GreaterEq", ""},
}

// vectorHint is advice on an error that has to do with vectors, "" on any other.
func (w *typedWalk) vectorHint(at faulty) string {
	e := at.expr()
	s := shapeOf(at.typeOf(e))
	switch at.code {
	case undefinedOp, mismatchedTypes, nonNumericIncDec:
		if o, ok := at.operation(); ok {
			return w.operatorHint(o, at)
		}
	case incompatibleAssign, invalidConversion, truncatedFloat:
		if e != nil {
			return w.otherTypeHint(e, at.typeOf(e), at.demand())
		}
	case wrongArgCount:
		for n := 0; at.up(n) != nil; n++ {
			if call, ok := at.up(n).(*ast.CallExpr); ok && at.info.Types[call.Fun].IsType() && shapeOf(at.typeOf(call.Fun)).kind != "" {
				return "write a literal: " + types.ExprString(call.Fun) + "{...}"
			}
		}
	case wrongTypeArgCount:
		return w.elementsHint(at)
	case invalidTypeArg:
		return constraintHint(at)
	case missingFieldOrMethod:
		if sel, ok := at.up(1).(*ast.SelectorExpr); ok && shapeOf(at.typeOf(sel.X)).kind != "" {
			return w.memberHint(types.ExprString(sel.X), sel.Sel.Name, shapeOf(at.typeOf(sel.X)))
		}
	case unassignableOperand:
		return w.copyHint(at, e)
	case nonIndexableOperand:
		if w.isView(at.typeOf(e)) {
			x := types.ExprString(e)
			return fmt.Sprintf("an element of a view is read with %s.At(...), and written with %s.Set(..., value)", x, x)
		}
	case invalidMinMaxOperand:
		if s.isNumbers() {
			return "for vectors and matrices, use the methods Min and Max: v.Min(w)"
		}
	case invalidCond:
		if s.kind == "Bool" {
			return w.otherTypeHint(e, at.typeOf(e), demand{typ: types.Typ[types.Bool]})
		}
		return partsHint(e, s)
	case wrongAssignCount:
		return partsHint(e, s)
	case undeclaredName:
		return fieldHint(at)
	}
	return ""
}

// isView reports whether a type is a view of package qd.
func (w *typedWalk) isView(t types.Type) bool {
	n := qdNamed(t)
	return n != nil && w.method(QDPath, n.Obj().Name(), "At") != "" && w.method(QDPath, n.Obj().Name(), "Set") != ""
}

// elementsHint is advice on a generic type without its type argument.
func (w *typedWalk) elementsHint(at faulty) string {
	e := at.expr()
	if e == nil {
		return ""
	}
	id := NameIn(e)
	if id == nil {
		return ""
	}
	obj, ok := at.info.Uses[id].(*types.TypeName)
	if !ok || qdNamed(obj.Type()) == nil {
		return ""
	}
	return "write the element type: qd." + obj.Name() + "[float32]"
}

// constraintHint is advice on a type argument that package qd does not allow.
func constraintHint(at faulty) string {
	arg, constraint := at.badTypeArg()
	c := qdNamed(constraint)
	if c == nil {
		return ""
	}
	switch s := shapeOf(arg); {
	case s.isNumbers() && c.Obj().Name() == "Atomic":
		return "update the elements one by one: &x[i][0], &x[i][1], ..."
	case s.isNumbers():
		return "functions of vectors and matrices are methods, which work element by element: v.Sqrt()"
	}
	return ""
}

// copyHint is advice on an assignment to what a method gives a copy of.
func (w *typedWalk) copyHint(at faulty, e ast.Expr) string {
	place := e
	for place != nil {
		place = ast.Unparen(place)
		method := place
		call, isCall := place.(*ast.CallExpr)
		if isCall {
			method = ast.Unparen(call.Fun)
		}
		if sel, ok := method.(*ast.SelectorExpr); ok {
			x := types.ExprString(sel.X)
			element := strings.Index("XYZW", sel.Sel.Name)
			switch {
			case isCall && sel.Sel.Name == "At" && w.isView(at.typeOf(sel.X)):
				var args []string
				for _, arg := range call.Args {
					args = append(args, types.ExprString(arg))
				}
				return fmt.Sprintf("At returns a copy: write through %s.Ptr(%s), or with %s.Set", short(x, "x"), strings.Join(args, ", "), short(x, "x"))
			case place == ast.Unparen(e) && len(sel.Sel.Name) == 1 && element >= 0 && shapeOf(at.typeOf(sel.X)).kind != "":
				return fmt.Sprintf("%s is a method and returns a copy: assign to the element, %s[%d] = ...", sel.Sel.Name, short(x, "v"), element)
			}
		}
		switch p := place.(type) {
		case *ast.IndexExpr:
			place = p.X
		case *ast.SelectorExpr:
			place = p.X
		default:
			return ""
		}
	}
	return ""
}

// partsHint is advice on a vector where a single number, or one for each variable, is wanted.
func partsHint(e ast.Expr, s shape) string {
	if !s.isNumbers() {
		return ""
	}
	x := short(types.ExprString(e), "v")
	return "name the elements: " + x + "[0], " + x + "[1], ..."
}

// fieldHint is advice on the names of fields in the literal of a vector.
func fieldHint(at faulty) string {
	id, _ := at.up(0).(*ast.Ident)
	kv, _ := at.up(1).(*ast.KeyValueExpr)
	lit, _ := at.up(2).(*ast.CompositeLit)
	if id == nil || kv == nil || lit == nil || kv.Key != id || !strings.Contains("xyzwXYZW", id.Name) {
		return ""
	}
	if s := shapeOf(at.typeOf(lit.Type)); s.kind != "Vec" && s.kind != "Quat" {
		return ""
	}
	return "it is an array: write the elements in their order, " + types.ExprString(lit.Type) + "{...}; those of a quaternion are x, y, z, w"
}

// operatorHint is advice on an operator that vectors do not have.
func (w *typedWalk) operatorHint(o operation, at faulty) string {
	tx, ty := at.typeOf(o.x), at.typeOf(o.y)
	s, r := shapeOf(tx), shapeOf(ty)
	methods, ok := operatorMethods[o.op]
	x := short(types.ExprString(o.x), "v")
	y := "w" // of two that are the same a name does
	if same := ty == nil || types.Identical(tx, ty); same {
		r = s
	} else {
		y = short(types.ExprString(o.y), "w")
	}
	call := func(of, method string, arg string) string { return of + "." + method + "(" + arg + ")" }
	switch {
	case o.op == token.INC || o.op == token.DEC:
		if !s.isNumbers() {
			return ""
		}
		return x + " = " + call(x, methods.number, "1")
	case o.y != nil && at.info.Types[o.y].IsNil():
		if s.kind == "" {
			return ""
		}
		return "it is an array and never nil: compare it with " + typeText(tx) + "{}"
	case at.code == undefinedOp && s.isNumbers() && isOrder(o.op):
		return fmt.Sprintf("for vectors and matrices, %s compares element by element: use .All() or .Any() of the result", call(x, methods.same, short(types.ExprString(o.y), "w")))
	case s.kind == "Bool" && r == s:
		return maskOperatorHint(o)
	case !s.isNumbers() && !r.isNumbers(), !ok:
		return ""
	case !s.isNumbers() && o.op == token.MUL:
		return "multiplication by a number is a method: " + call(y, "Scale", x)
	case !s.isNumbers() && o.op == token.ADD:
		return "operators are methods of vectors and matrices: " + call(y, "AddScalar", x)
	case !s.isNumbers():
		return "operators are methods of vectors and matrices, such as " + call(y, "Neg", "") + " and " + call(y, "AddScalar", x)
	case !r.isNumbers():
		if name := w.methodOf(s, methods.number); name != "" {
			return "operators are methods of vectors, matrices and quaternions: " + call(x, name, y)
		}
	case s.kind == "Mat" && r.kind == "Vec" && o.op == token.MUL:
		return "the product of a matrix and a vector is " + call(x, "MulVec", y)
	case s.kind == "Vec" && r.kind == "Mat" && o.op == token.MUL:
		return "the product of a transposed matrix and a vector is " + call(y, "TMulVec", x)
	case s.kind == "Quat" && r.kind == "Vec" && o.op == token.MUL:
		return "a quaternion rotates a vector with " + call(x, "Rotate", y)
	case s.name() == r.name() && s.pkg != r.pkg && w.declares(s.path(), s.name()+"From"):
		return "Go has no implicit conversions: convert one side, as in " + s.String() + "From(" + y + ")"
	case s.name() != r.name():
		return ""
	case s.kind == "Mat" && o.op == token.MUL:
		return "operators are methods of matrices: " + call(x, "Mul", y) + " is the product, " + call(x, "MulElem", y) + " that of the elements"
	case s.kind == "Mat" && o.op == token.QUO:
		return "operators are methods of matrices: " + call(x, "DivElem", y) + ", element by element"
	case s.kind == "Vec" && o.op == token.MUL:
		return "operators are methods of vectors: " + call(x, "Mul", y) + " multiplies the elements, " + call(x, "Dot", y) + " is the inner product"
	case s.kind == "Vec" && o.op == token.REM && strings.Contains(s.elem, "int"):
		return "operators are methods of vectors, matrices and quaternions: " + call(x, "Rem", y)
	case o.op == token.SUB && at.code == undefinedOp:
		return "operators are methods: " + call(x, "Sub", y) + ", or " + call(x, "Neg", "") + " for one operand"
	default:
		if name := w.methodOf(s, methods.same); name != "" {
			return "operators are methods of vectors, matrices and quaternions: " + call(x, name, y)
		}
	}
	return ""
}

// isOrder reports whether an operator compares by size.
func isOrder(op token.Token) bool {
	return op == token.LSS || op == token.LEQ || op == token.GTR || op == token.GEQ
}

// otherTypeHint is advice on an expression, of a type, where another is wanted.
func (w *typedWalk) otherTypeHint(e ast.Expr, from types.Type, to demand) string {
	x := types.ExprString(e)
	if isConst(from) && !isConst(to.typ) {
		return "read the value of the constant: " + x + ".V"
	}
	s, want := shapeOf(from), shapeOf(to.typ)
	receiver, called := to.method()
	of := ""
	if receiver != nil {
		of = short(types.ExprString(receiver), "m")
	}
	x = short(x, "v")
	switch {
	case s.kind == "" && !want.isNumbers():
		return ""
	case s.kind == "Bool" && to.typ == types.Typ[types.Bool]:
		return "it has one bool for each element: use " + x + ".All() or " + x + ".Any()"
	case s.kind == "":
		if !isNumber(from) {
			return ""
		}
		name := called + "Scalar"
		if called == "Mul" {
			name = "Scale"
		}
		if name = w.methodOf(want, name); called != "" && name != "" {
			return "with a number it is " + of + "." + name + "(" + x + ")"
		}
		if w.declares(want.path(), want.name()+"Splat") && !strings.Contains(x, "(") {
			hint := "to make one with the number in each element: " + want.String() + "Splat(" + x + ")"
			if w.declares(want.path(), want.name()+"Identity") {
				hint += "; the identity: " + want.String() + "Identity()"
			}
			return hint
		}
	case s.isNumbers() && s.name() == want.name() && s.pkg != want.pkg && w.declares(want.path(), want.name()+"From"):
		return "convert it: " + want.String() + "From(" + x + ")"
	case s.kind == "Vec" && called == "Mul" && want.kind == "Mat":
		return "the product of a matrix and a vector is " + of + ".MulVec(" + x + ")"
	case s.kind == "Vec" && called == "Mul" && want.kind == "Quat":
		return "a quaternion rotates a vector with " + of + ".Rotate(" + x + ")"
	case s.kind == "Mat" && called == "Mul" && want.kind == "Mat":
		return "Mul needs a square matrix on the right; other products are functions, such as " + s.pkg + ".Mat2x3Mul3x2(m, n)"
	case s.kind == "Vec" && want.kind == "Vec" && s.size < want.size:
		hint := "make it longer: " + x + ".Extend(z)"
		if want.size == "4" {
			hint = "make it longer: " + x + ".Extend(1) for a point, " + x + ".Extend(0) for a direction"
			if called == "MulVec" && w.method(s.path(), "Mat4", "TransformPoint") != "" {
				hint += "; or call " + of + ".TransformPoint(" + x + ") or " + of + ".TransformVector(" + x + ")"
			}
		}
		return hint
	case s.kind == "Vec" && want.kind == "Vec" && s.size > want.size:
		return "choose the elements: " + x + "." + "XYZW"[:min(4, int(want.size[0]-'0'))] + "()"
	case s.isNumbers() && want.kind == "" && to.element:
		return "write its elements one by one, " + x + "[0], " + x + "[1]; a method makes a vector longer: " + x + ".Extend(z)"
	case s.isNumbers() && s.kind != "Mat" && called == "" && isNumber(to.typ) && typeText(to.typ) == s.elem:
		return "choose an element: " + x + "[0], " + x + "[1], ..."
	case s.isNumbers() && called != "" && isNumber(to.typ):
		if name := w.methodOf(s, called); name != "" {
			return "functions of vectors and matrices are methods, which work element by element: " + x + "." + name + "()"
		}
	}
	return ""
}

// isNumber reports whether a type is one of Go's numeric types, and no other's that is declared as such.
func isNumber(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsFloat) != 0
}

// isConst reports whether a type is a qd.Const.
func isConst(t types.Type) bool {
	n := qdNamed(t)
	return n != nil && n.Obj().Name() == "Const"
}

// memberNames are the names here of what other libraries call otherwise.
var memberNames = map[string]string{
	"length": "Norm", "len": "Norm", "magnitude": "Norm", "mag": "Norm", "size": "Norm", "lengthsq": "NormSq", "lengthsquared": "NormSq",
	"sqrmagnitude": "NormSq", "norm2": "NormSq", "normalized": "Normalize", "unit": "Normalize", "dist": "Distance", "times": "Mul",
	"plus": "Add", "minus": "Sub", "mulscalar": "Scale", "multiply": "Mul", "inv": "Inverse", "inverted": "Inverse", "invert": "Inverse",
	"transposed": "Transpose", "t": "Transpose", "determinant": "Det", "conjugate": "Conj", "conjugated": "Conj", "negate": "Neg", "column": "Col",
	"rotatevec": "Rotate", "apply": "Rotate", "mulvec3": "MulVec", "mat": "Mat3", "tomat3": "Mat3", "mulpoint": "TransformPoint",
	"muldir": "TransformVector", "hadamard": "MulElem", "matmul": "Mul", "rsqrt": "InvSqrt", "eq": "Equal", "max_element": "MaxElem",
}

// memberHint is advice on a method that a type lacks.
func (w *typedWalk) memberHint(x, name string, s shape) string {
	lower := strings.ToLower(name)
	x = short(x, "v")
	if found := w.methodOf(s, lower); found != "" {
		return "it is the method " + x + "." + found + "()"
	}
	if other := memberNames[lower]; other != "" {
		if found := w.methodOf(s, other); found != "" {
			return "here it is called " + found
		}
	}
	switch {
	case lower == "mulvec" && s.kind == "Quat":
		return "a quaternion rotates a vector with " + x + ".Rotate(v)"
	case lower == "at" && s.kind == "Mat":
		return "it is an array of rows: " + x + "[i][j]"
	case lower == "at", lower == "get":
		return "it is an array: " + x + "[i]"
	case strings.HasPrefix(lower, "set"):
		return "methods return new values: assign to the elements, " + x + "[0] = ..."
	case strings.Contains(s.elem, "int") && w.methodOf(s.of("f32"), name) != "":
		return "only floats have this method, and the elements are integers: convert them, as in " + s.of("f32").String() + "From(" + x + ")." + w.methodOf(s.of("f32"), name) + "(...)"
	case s.kind == "Mat" && (lower == "inverse" || lower == "det"):
		return "only square matrices have it"
	case w.declares(s.path(), s.name()+name):
		return "it is a function: " + s.String() + name
	}
	return ""
}

var (
	// vectorName is the name of a vector, matrix, quaternion or transform type, and what may follow it:
	// a letter for the type of the elements, or what a function does.
	vectorName = regexp.MustCompile(`^(?:New|Make)?(Vec\d|Mat\d|Quat|Transform)(x\d)?([fdiu]?)([A-Z]\w*)?$`)

	// sizedName is the name of a vector or matrix type, or of a mask in package bools, of any size: of one that no package
	// has, where it is asked for.
	sizedName = regexp.MustCompile(`^(Vec|Mat)([0-9]+)(x[0-9]+)?([fdiu]?)$`)
)

// letters are the packages of the vectors for whose elements a letter stands in other libraries.
var letters = map[string]string{"": "f32", "f": "f32", "d": "f64", "i": "i32", "u": "u32"}

// nameHint is advice on a name that one of this module's packages lacks, "" if it is not about vectors.
func (w *typedWalk) nameHint(pkg, name string) string {
	if m := vectorName.FindStringSubmatch(name); m != nil {
		if pkg == conventionalName(QDPath) || m[3] != "" {
			pkg = letters[m[3]]
		}
		typ, path := m[1]+m[2], QDPath+"/"+pkg
		if "Mat"+strings.TrimPrefix(m[2], "x") == m[1] {
			typ = m[1] // Mat3x3 is Mat3
		}
		if found := typ + strings.TrimSuffix(m[4], "As"); w.declares(path, found) {
			found = pkg + "." + found
			switch {
			case m[4] == "As":
				return "convert to the vectors of a package: " + found + "From(v)"
			case m[4] != "":
				return "it is " + found + ", of package " + path
			case strings.HasPrefix(name, "New"), strings.HasPrefix(name, "Make"):
				return "write a literal: " + found + "{...}"
			}
			return "vectors and matrices are in other packages: write " + found + ", of package " + path
		}
	}
	if hint := maskHint(w, pkg, name); hint != "" {
		return hint
	}
	if m := sizedName.FindStringSubmatch(name); m != nil && (m[1] == "Mat" || m[3] == "") {
		return "vectors and matrices up to 4x4 are in packages f32, f64, i32 and u32: qdgen types --elem float32 " + m[1] + m[2] + m[3] + " writes this one into your package"
	}
	if pkg == conventionalName(QDPath) && w.declares(MathPath, name) {
		return "it is " + conventionalName(MathPath) + "." + name + ", of package " + MathPath
	}
	path := QDPath + "/f32"
	for _, s := range []struct{ typ, what string }{{"Vec3", "vectors, as in v"}, {"Vec2", "vectors, as in v"}, {"Mat3", "matrices, as in m"}, {"Quat", "quaternions, as in q"}} {
		found := w.method(path, s.typ, name)
		if found == "" {
			found = w.method(path, s.typ, memberNames[strings.ToLower(name)])
		}
		if found != "" {
			return "it is a method of " + s.what + "." + found + "(...)"
		}
	}
	return ""
}

// short is an expression, or a name for it where that is too long to repeat.
func short(x, otherwise string) string {
	if x == "" || len(x) > 24 || strings.ContainsAny(x, "+-*/ …") {
		return otherwise
	}
	return x
}
