package load

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// What the type checker says of package qd's vectors, matrices and quaternions is right, and
// little help to whoever expects operators, fields and conversions of them: they are arrays
// with methods. The advice here says what to write instead.

// A shape is what a type of package qd is: a Vec of 3 float32, a Mat of 2x3 T, a Quat.
type shape struct{ kind, size, elem string }

var shapeName = regexp.MustCompile(`^qd\.(?:(Vec|Mat|Bool)(\d)(x\d)?|(Quat))([fdiu]?)(?:\[([\w.]+)\])?$`)

// shapeOf is the shape of a type as the type checker writes it; without a kind for any other.
func shapeOf(typ string) shape {
	m := shapeName.FindStringSubmatch(typ)
	if m == nil {
		return shape{}
	}
	s := shape{kind: m[1] + m[4], size: m[2] + m[3], elem: m[6]}
	if s.kind == "Mat" && m[3] == "" {
		s.size += "x" + s.size
	}
	if m[5] != "" {
		s.elem = map[string]string{"f": "float32", "d": "float64", "i": "int32", "u": "uint32"}[m[5]]
	}
	return s
}

// name is the name of the generic type.
func (s shape) name() string { return s.kind + s.size }

// isNumbers reports whether it is a vector, a matrix or a quaternion.
func (s shape) isNumbers() bool { return s.kind != "" && s.kind != "Bool" }

// method is the name of a method of a type of package qd, however it is capitalized; "" if it has none.
func (w *typedWalk) method(typ, name string) string {
	if w.qd == nil {
		return ""
	}
	w.qd.mu.Lock()
	defer w.qd.mu.Unlock()
	for _, p := range w.qd.index.of(typ)[strings.ToLower(name)] {
		text := p.file.Src[p.start:p.end]
		if found := word(text[strings.IndexByte(string(text), ')')+2:]); ast.IsExported(found) {
			return found
		}
	}
	return ""
}

// declares reports whether package qd has a name for kernels.
func (w *typedWalk) declares(name string) bool {
	return w.qd != nil && w.qd.index.decls[name] != nil
}

// operatorMethods are the methods for Go's operators, by what the right operand is: one of the same
// kind, or a number.
var operatorMethods = map[string]struct{ same, number string }{
	"+": {"Add", "AddScalar"}, "-": {"Sub", "SubScalar"}, "*": {"Mul", "Scale"}, "/": {"Div", "DivScalar"},
	"%": {"Mod", "ModScalar"}, "<": {"Less", ""}, "<=": {"LessEq", ""}, ">": {"Greater", ""}, ">=": {"GreaterEq", ""},
}

var (
	notDefined     = regexp.MustCompile(`^invalid operation: operator (\S+) not defined on (.+) \((?:.* )?of array type (\S+)\)$`)
	unordered      = regexp.MustCompile(`^invalid operation: (.+) \(operator (\S+) not defined on array\)$`)
	mixed          = regexp.MustCompile(`^invalid operation: (.+) \(mismatched types (\S+|untyped \w+) and (\S+|untyped \w+)\)$`)
	increment      = regexp.MustCompile(`^invalid operation: (.+)(\+\+|--) \(non-numeric type (\S+)\)$`)
	notAs          = regexp.MustCompile(`^cannot (?:use|convert) (.+) \((?:.* )?(?:type (\S+)|(untyped \w+) constant.*)\) (?:as|to type) (\S+)(?: value in (.*))?$`)
	tooManyIn      = regexp.MustCompile(`^too many arguments in conversion to (\S+)$`)
	notInstance    = regexp.MustCompile(`^cannot use generic type qd\.(\w+)\[.*\] without instantiation$`)
	noConstraint   = regexp.MustCompile(`^(\S+) does not satisfy qd\.(\w+) `)
	noVectorMember = regexp.MustCompile(`^(.+)\.(\w+) undefined \(type (\S+) has no field or method \w+`)
	notElement     = regexp.MustCompile(`^cannot assign to (.+)\.([XYZW])(?:\(\))? \(neither addressable`)
	notInPlace     = regexp.MustCompile(`^cannot assign to (.+)\.At\((.+)\).* \(neither addressable`)
	notIndexed     = regexp.MustCompile(`^(?:invalid operation: )?cannot index (.+) \(variable of struct type qd\.View`)
	notOrdered     = regexp.MustCompile(`^invalid argument: (.+) \((?:.* )?of array type (\S+)\) cannot be ordered`)
	notBool        = regexp.MustCompile(`^non-boolean condition in `)
	oneForMany     = regexp.MustCompile(`^assignment mismatch: [234] variables but 1 value`)
	asKey          = regexp.MustCompile(`^undefined: ([xyzwXYZW])$`)
	literalAhead   = regexp.MustCompile(`qd\.((?:Vec|Quat)\w*(?:\[\w+\])?)\{[^{}]*$`)
	inMethod       = regexp.MustCompile(`^argument to (?:(.+)\.)?(\w+)$`)
)

// vectorHint is advice on an error that has to do with vectors, "" on any other.
func (w *typedWalk) vectorHint(err typeError) string {
	msg := err.Msg
	if m := notDefined.FindStringSubmatch(msg); m != nil {
		return w.operatorHint(m[1], m[2], "", shapeOf(m[3]), shapeOf(m[3]))
	}
	if m := unordered.FindStringSubmatch(msg); m != nil {
		if x, op, y := operands(m[1]); op != "" && operatorMethods[op].same != "" {
			return fmt.Sprintf("of vectors and matrices %s.%s(%s) compares the elements, one by one: ask .All() or .Any() of the result", short(x, "v"), operatorMethods[op].same, short(y, "w"))
		}
	}
	if m := mixed.FindStringSubmatch(msg); m != nil {
		if x, op, y := operands(m[1]); op != "" {
			return w.operatorHint(op, x, y, shapeOf(m[2]), shapeOf(m[3]), m[2], m[3])
		}
	}
	if m := increment.FindStringSubmatch(msg); m != nil && shapeOf(m[3]).isNumbers() {
		x := short(m[1], "v")
		return x + " = " + x + "." + operatorMethods[m[2][:1]].number + "(1)"
	}
	if m := notAs.FindStringSubmatch(msg); m != nil {
		return w.otherTypeHint(m[1], m[2]+m[3], m[4], m[5])
	}
	if m := tooManyIn.FindStringSubmatch(msg); m != nil && shapeOf(m[1]).kind != "" {
		return "write a literal: " + m[1] + "{...}"
	}
	if m := notInstance.FindStringSubmatch(msg); m != nil {
		hint := "say what its elements are: qd." + m[1] + "[float32]"
		if w.declares(m[1] + "f") {
			hint += ", or qd." + m[1] + "f"
		}
		return hint
	}
	if m := noConstraint.FindStringSubmatch(msg); m != nil {
		switch s := shapeOf(m[1]); {
		case m[1] == "bool" && m[2] == "Number":
			return "vectors of bools are qd.Bool2, qd.Bool3 and qd.Bool4"
		case s.isNumbers() && m[2] == "Atomic":
			return "update the elements one by one: &x[i][0], &x[i][1], ..."
		case s.isNumbers():
			return "functions of vectors and matrices are methods, and go over the elements: v.Sqrt()"
		}
	}
	if m := noVectorMember.FindStringSubmatch(msg); m != nil && shapeOf(m[3]).kind != "" {
		return w.memberHint(m[1], m[2], shapeOf(m[3]))
	}
	if m := notElement.FindStringSubmatch(msg); m != nil {
		return fmt.Sprintf("%s is a method, which gives a copy: assign to the element, %s[%d] = ...", m[2], short(m[1], "v"), strings.Index("XYZW", m[2]))
	}
	if m := notInPlace.FindStringSubmatch(msg); m != nil {
		return fmt.Sprintf("At gives a copy: write through %s.Ptr(%s), or with %s.Set", short(m[1], "x"), m[2], short(m[1], "x"))
	}
	if m := notIndexed.FindStringSubmatch(msg); m != nil {
		return fmt.Sprintf("an element of a view is read with %s.At(...), and written with %s.Set(..., value)", m[1], m[1])
	}
	if m := notOrdered.FindStringSubmatch(msg); m != nil && shapeOf(m[2]).isNumbers() {
		return "of vectors and matrices the methods Min and Max go over the elements: v.Min(w)"
	}
	if notBool.MatchString(msg) || oneForMany.MatchString(msg) {
		switch x, s := w.shapeAt(err.Pos); {
		case s.kind == "Bool":
			return w.otherTypeHint(x, "qd."+s.name(), "bool", "")
		case s.isNumbers():
			x = short(x, "v")
			return "name the elements: " + x + "[0], " + x + "[1], ..."
		}
	}
	if m := asKey.FindStringSubmatch(msg); m != nil {
		if lit := literalAhead.FindStringSubmatch(w.lineBefore(err.Pos)); lit != nil {
			return "it is an array: write the elements in their order, qd." + lit[1] + "{...}; those of a quaternion are x, y, z, w"
		}
	}
	return ""
}

// operatorHint is advice on x op y, of which one operand has a shape; y is "" where it is not
// known. operandTypes are those of the operands where they differ.
func (w *typedWalk) operatorHint(op, x, y string, s, r shape, operandTypes ...string) string {
	methods, known := operatorMethods[op]
	x, y = short(x, "v"), short(y, "w")
	call := func(of, method string, arg string) string { return of + "." + method + "(" + arg + ")" }
	switch {
	case len(operandTypes) == 2 && operandTypes[1] == "untyped nil" && s.kind != "":
		return "it is an array, and never nil: compare it with " + operandTypes[0] + "{}"
	case !s.isNumbers() && !r.isNumbers(), !known:
		if f := map[string]string{"&": "And", "|": "Or", "^": "Xor", "<<": "Shl", ">>": "Shr"}[op]; s.kind == "Vec" && f != "" && w.declares(s.name()+f) {
			return "operators are functions of vectors: qd." + s.name() + f + "(" + x + ", " + y + ")"
		}
		return ""
	case !s.isNumbers() && op == "*":
		return "multiplication by a number is a method: " + call(y, "Scale", x)
	case !s.isNumbers() && op == "+":
		return "operators are methods of vectors and matrices: " + call(y, "AddScalar", x)
	case !s.isNumbers():
		return "operators are methods of vectors and matrices, such as " + call(y, "Neg", "") + " and " + call(y, "AddScalar", x)
	case !r.isNumbers():
		if name := w.method(s.name(), methods.number); name != "" {
			return "operators are methods of vectors, matrices and quaternions: " + call(x, name, y)
		}
	case s.kind == "Mat" && r.kind == "Vec" && op == "*":
		return "the product of a matrix and a vector is " + call(x, "MulVec", y)
	case s.kind == "Vec" && r.kind == "Mat" && op == "*":
		return "the product of a transposed matrix and a vector is " + call(y, "TMulVec", x)
	case s.kind == "Quat" && r.kind == "Vec" && op == "*":
		return "a quaternion turns a vector by " + call(x, "Rotate", y)
	case s.name() == r.name() && s.elem != r.elem && w.declares(s.name()+"As"):
		return "Go converts nothing by itself: convert one side, as in qd." + s.name() + "As[" + s.elem + "](" + y + ")"
	case s.name() != r.name():
		return ""
	case s.kind == "Mat" && op == "*":
		return "operators are methods of matrices: " + call(x, "Mul", y) + " is the product, " + call(x, "MulElem", y) + " that of the elements"
	case s.kind == "Mat" && op == "/":
		return "operators are methods of matrices: " + call(x, "DivElem", y) + ", element by element"
	case s.kind == "Vec" && op == "*":
		return "operators are methods of vectors: " + call(x, "Mul", y) + " multiplies the elements, " + call(x, "Dot", y) + " is the inner product"
	case s.kind == "Vec" && op == "%" && strings.Contains(s.elem, "int"):
		return "operators are methods or functions of vectors: qd." + s.name() + "Rem(" + x + ", " + y + ")"
	case op == "-" && len(operandTypes) == 0:
		return "operators are methods: " + call(x, "Sub", y) + ", or " + call(x, "Neg", "") + " for one operand"
	default:
		if name := w.method(s.name(), methods.same); name != "" {
			return "operators are methods of vectors, matrices and quaternions: " + call(x, name, y)
		}
	}
	return ""
}

// otherTypeHint is advice on x, of a type, where another is wanted; in is what for: "assignment",
// "argument to v.Add", "" for a conversion.
func (w *typedWalk) otherTypeHint(x, from, to, in string) string {
	if len(from) > 0 && strings.HasPrefix(from, "qd.Const[") && !strings.HasPrefix(to, "qd.Const[") {
		return "read the value of the constant: " + x + ".V"
	}
	s, want := shapeOf(from), shapeOf(to)
	of, called := "", ""
	if m := inMethod.FindStringSubmatch(in); m != nil {
		of, called = short(m[1], "m"), m[2]
	}
	x = short(x, "v")
	switch {
	case s.kind == "" && !want.isNumbers():
		return ""
	case s.kind == "Bool" && to == "bool":
		return "it is a bool for each element: ask " + x + ".All() or " + x + ".Any()"
	case s.kind == "":
		if !strings.HasPrefix(from, "untyped ") && !isNumeric.MatchString(from) {
			return ""
		}
		name := called + "Scalar"
		if called == "Mul" {
			name = "Scale"
		}
		if name = w.method(want.name(), name); called != "" && name != "" {
			return "with a number it is " + of + "." + name + "(" + x + ")"
		}
		if w.declares(want.name()+"Splat") && !strings.Contains(x, "(") {
			hint := "with the number in each element: qd." + want.name() + "Splat[" + want.elem + "](" + x + ")"
			if w.declares(want.name() + "Identity") {
				hint += "; the identity: qd." + want.name() + "Identity[" + want.elem + "]()"
			}
			return hint
		}
	case s.name() == want.name() && s.elem != want.elem && w.declares(s.name()+"As"):
		return "convert it: qd." + s.name() + "As[" + want.elem + "](" + x + ")"
	case s.kind == "Vec" && called == "Mul" && want.kind == "Mat":
		return "the product of a matrix and a vector is " + of + ".MulVec(" + x + ")"
	case s.kind == "Vec" && called == "Mul" && want.kind == "Quat":
		return "a quaternion turns a vector by " + of + ".Rotate(" + x + ")"
	case s.kind == "Mat" && called == "Mul" && want.kind == "Mat":
		return "Mul is for a square matrix on the right; other products are functions, such as qd.Mat2x3Mul3x2(m, n)"
	case s.kind == "Vec" && want.kind == "Vec" && s.size < want.size:
		hint := "make it longer: " + x + ".Extend(z)"
		if want.size == "4" {
			hint = "make it longer: " + x + ".Extend(1) where it is a point, " + x + ".Extend(0) where it is a direction"
			if called == "MulVec" && w.method("Mat4x4", "TransformPoint") != "" {
				hint += "; or call " + of + ".TransformPoint(" + x + ") or " + of + ".TransformVector(" + x + ")"
			}
		}
		return hint
	case s.kind == "Vec" && want.kind == "Vec" && s.size > want.size:
		return "choose the elements: " + x + "." + "XYZW"[:min(4, int(want.size[0]-'0'))] + "()"
	case s.isNumbers() && want.kind == "" && in == "array or slice literal":
		return "write its elements one by one, " + x + "[0], " + x + "[1]; a method makes a vector longer: " + x + ".Extend(z)"
	case s.isNumbers() && s.kind != "Mat" && called == "" && isNumeric.MatchString(to) && to == s.elem:
		return "choose an element: " + x + "[0], " + x + "[1], ..."
	case s.isNumbers() && called != "" && isNumeric.MatchString(to):
		if name := w.method(s.name(), called); name != "" {
			return "functions of vectors and matrices are methods, and go over the elements: " + x + "." + name + "()"
		}
	}
	return ""
}

var isNumeric = regexp.MustCompile(`^` + numeric + `$`)

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
	if found := w.method(s.name(), lower); found != "" {
		return "it is the method " + x + "." + found + "()"
	}
	if other := memberNames[lower]; other != "" {
		if found := w.method(s.name(), other); found != "" {
			return "here it is called " + found
		}
	}
	switch {
	case lower == "mulvec" && s.kind == "Quat":
		return "a quaternion turns a vector by " + x + ".Rotate(v)"
	case lower == "at" && s.kind == "Mat":
		return "it is an array of rows: " + x + "[i][j]"
	case lower == "at", lower == "get":
		return "it is an array: " + x + "[i]"
	case strings.HasPrefix(lower, "set"):
		return "methods change nothing in place: assign to the elements, " + x + "[0] = ..."
	case s.kind == "Mat" && (lower == "inverse" || lower == "det"):
		return "only square matrices have one"
	case w.declares(s.name() + name):
		return "it is a function: qd." + s.name() + name
	}
	return ""
}

// nameHint is advice on a name that package qd lacks, "" if it is not about vectors.
func (w *typedWalk) nameHint(name string) string {
	if made := strings.TrimPrefix(strings.TrimPrefix(name, "New"), "Make"); made != name && shapeOf("qd."+made).kind != "" {
		if !w.declares(made) {
			return ""
		}
		if w.declares(made + "f") {
			made += "f"
		}
		return "write a literal: qd." + made + "{...}"
	}
	for _, s := range []struct{ typ, what string }{{"Vec3", "vectors, as in v"}, {"Vec2", "vectors, as in v"}, {"Mat3x3", "matrices, as in m"}, {"Quat", "quaternions, as in q"}} {
		found := w.method(s.typ, name)
		if found == "" {
			found = w.method(s.typ, memberNames[strings.ToLower(name)])
		}
		if found != "" {
			return "it is a method of " + s.what + "." + found + "(...)"
		}
	}
	return ""
}

// operands are those of an operation as the type checker writes it, with the operator: "" if
// that cannot be read.
func operands(text string) (x, op, y string) {
	if m := assignOperation.FindStringSubmatch(text); m != nil {
		return m[1], m[2], m[3]
	}
	e, err := parser.ParseExpr(strings.ReplaceAll(text, "{…}", "{}"))
	if b, ok := e.(*ast.BinaryExpr); err == nil && ok {
		return types.ExprString(b.X), b.Op.String(), types.ExprString(b.Y)
	}
	return "", "", ""
}

var assignOperation = regexp.MustCompile(`^(.+) ([-+*/%&|^]|<<|>>|&\^)= (.+)$`)

// shapeAt is the longest expression that begins at a position, with its shape.
func (w *typedWalk) shapeAt(pos token.Pos) (x string, s shape) {
	var longest ast.Expr
	for e := range w.prog.Info.Types {
		if e.Pos() == pos && (longest == nil || e.End() > longest.End()) {
			longest = e
		}
	}
	if longest == nil {
		return "", s
	}
	byName := func(p *types.Package) string { return p.Name() }
	return types.ExprString(longest), shapeOf(types.TypeString(w.prog.Info.Types[longest].Type, byName))
}

// short is an expression, or a name for it where that is too long to repeat.
func short(x, otherwise string) string {
	if x == "" || len(x) > 24 || strings.ContainsAny(x, "+-*/ …") {
		return otherwise
	}
	return x
}

// lineBefore is what stands before a position in its line.
func (w *typedWalk) lineBefore(pos token.Pos) string {
	f := w.prog.texts[w.prog.Fset.File(pos)]
	if f == nil {
		return ""
	}
	line := f.lineAt(pos)
	return string(line[:min(len(line), f.tok.PositionFor(pos, false).Column-1)])
}
