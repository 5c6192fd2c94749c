package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
	"unicode/utf8"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// A printer lowers qd.Printf.
type printer struct{ b *builder }

// printf lowers a call of qd.Printf. The device records the arguments, and the host prints them with package fmt. The
// front end checks that the arguments fit the format. It also puts constant strings into the format, because a device
// cannot record strings.
func (pr printer) printf(e *ast.CallExpr) {
	if !pr.b.m.Arity(e, 1) {
		return
	}
	if !check.IsBasic(pr.b.GoType(e.Args[0]), types.IsString) {
		pr.b.m.MustBeIllTyped("a format that is no string")
		return
	}
	format, ok := pr.b.intrinsics.text(e.Args[0])
	if !ok {
		return
	}
	if e.Ellipsis.IsValid() {
		pr.b.m.Refuse(e, "list the arguments", "qd.Printf with ... is not supported in a kernel")
		return
	}
	args := make([]printfArg, len(e.Args)-1)
	for i, arg := range e.Args[1:] {
		args[i] = pr.printfArg(arg)
		ok = ok && args[i].kind != 0
	}
	if !ok {
		return
	}
	p := printfFormat{b: pr.b, call: e, args: args}
	if !p.parse(format) {
		return
	}
	in := &ssa.Instr{Op: ssa.OpPrintf, Format: int32(len(pr.b.m.Out.Formats))}
	f := ssa.Format{Text: p.out.String()}
	for _, arg := range args {
		for _, leaf := range arg.leaves() {
			if leaf.kind == kindString {
				continue
			}
			for _, val := range pr.words(e, leaf) {
				in.Args = append(in.Args, val)
				f.Args = append(f.Args, ssa.FormatArg{Type: val.Type, GoType: leaf.goType})
			}
		}
	}
	pr.b.m.Out.Formats = append(pr.b.m.Out.Formats, f)
	pr.b.Emit(e.Pos(), in)
}

// words are the values that a device records of a number or a bool: the two parts of a complex number.
func (pr printer) words(e ast.Expr, leaf printfArg) []*ssa.Value {
	if leaf.kind != kindComplex {
		return []*ssa.Value{leaf.val}
	}
	re, im := pr.b.ComplexParts(e.Pos(), leaf.val)
	return []*ssa.Value{re, im}
}

// A printfArg is one argument: a value, a constant string, or an array or a struct of values.
type printfArg struct {
	expr   ast.Expr
	kind   byte // one of the kinds below, 0 for what has been refused
	named  bool // its type is not predeclared
	val    *ssa.Value
	goType string
	text   string      // of a string
	parts  []printfArg // of an array or a struct
	names  []string    // of a struct's parts
}

// The kinds of arguments, as the table of verbs has them.
const (
	kindBool    = 'b'
	kindInt     = 'i'
	kindFloat   = 'f'
	kindComplex = 'z'
	kindString  = 's'
	kindArray   = 'a'
	kindStruct  = 'r'
)

// verbKinds are the kinds of arguments that each verb of package fmt prints.
var verbKinds = map[rune]string{
	'v': "bifzs", 'T': "bifzs", 't': "b",
	'd': "i", 'o': "i", 'O': "i", 'c': "i", 'U': "i",
	'b': "ifz", 'x': "ifzs", 'X': "ifzs", 'q': "is",
	'e': "fz", 'E': "fz", 'f': "fz", 'F': "fz", 'g': "fz", 'G': "fz",
	's': "s",
}

// verbFor is the verb to advise for a kind.
var verbFor = map[byte]string{kindBool: "%t", kindInt: "%d", kindFloat: "%g", kindComplex: "%g", kindString: "%s", kindArray: "%v", kindStruct: "%v"}

func (pr printer) printfArg(e ast.Expr) printfArg {
	typ := pr.b.GoType(e)
	if check.Invalid(typ) {
		pr.b.expr(e)
		pr.b.m.MustBeIllTyped("an argument without a type")
		return printfArg{expr: e}
	}
	if check.IsBasic(typ, types.IsString) {
		text, ok := pr.b.intrinsics.text(e)
		if !ok {
			return printfArg{expr: e}
		}
		arg := pr.printfValue(e, typ, nil)
		arg.text = text
		return arg
	}
	val := pr.b.expr(e)
	switch {
	case val == eval.Poison:
		return printfArg{expr: e}
	case val == eval.UntypedNil:
		pr.b.m.Refuse(e, "remove it", "qd.Printf prints numbers, bools and constant strings, not nil")
		return printfArg{expr: e}
	}
	arg := pr.printfValue(e, typ, val)
	if len(arg.leaves()) > maxPrinted {
		pr.refuseLong(e, typ)
		arg.kind = 0
	}
	return arg
}

// A printfFormat goes through a format.
type printfFormat struct {
	b    *builder
	call *ast.CallExpr
	args []printfArg
	next int             // the next argument to print
	out  strings.Builder // the format with the constant strings in it
}

// parse checks the format against the arguments and writes it to out. It reports
// whether all is well.
func (p *printfFormat) parse(s string) bool {
	for {
		i := strings.IndexByte(s, '%')
		if i < 0 {
			break
		}
		p.out.WriteString(s[:i])
		s = s[i:]
		n, ok := p.directive(s)
		if !ok {
			return false
		}
		s = s[n:]
	}
	p.out.WriteString(s)
	if p.next < len(p.args) {
		p.b.m.Refuse(p.args[p.next].expr, "remove it, or add "+verbFor[p.args[p.next].kind]+" to the format",
			"qd.Printf call needs %s but has %s", plural(p.next), plural(len(p.args)))
		return false
	}
	return true
}

func plural(n int) string {
	if n == 1 {
		return "1 arg"
	}
	return fmt.Sprintf("%d args", n)
}

// directive handles the directive that s begins with, and gives its length.
func (p *printfFormat) directive(s string) (n int, ok bool) {
	i := 1
	skip := func(set string) {
		for i < len(s) && strings.IndexByte(set, s[i]) >= 0 {
			i++
		}
	}
	star := false
	number := func() bool {
		if i < len(s) && s[i] == '*' {
			i++
			star = true
			return p.width(s[:i])
		}
		skip("0123456789")
		return true
	}
	skip("+-# 0")
	if !number() {
		return 0, false
	}
	if i < len(s) && s[i] == '.' {
		i++
		if !number() {
			return 0, false
		}
	}
	if i == len(s) {
		p.b.m.Refuse(p.call.Args[0], "write %% for a percent sign", "qd.Printf format ends in %s", s)
		return 0, false
	}
	verb, size := utf8.DecodeRuneInString(s[i:])
	n = i + size
	directive := s[:n]
	switch {
	case verb == '%':
		p.out.WriteString(directive)
		return n, true
	case verb == '[':
		p.b.m.Refuse(p.call.Args[0], "pass the arguments in the order in which they are printed", "argument indexes in a qd.Printf format are not supported")
		return 0, false
	case verbKinds[verb] == "":
		p.b.m.Refuse(p.call.Args[0], "write %% for a percent sign", "qd.Printf format %s has unknown verb %c", directive, verb)
		return 0, false
	}
	arg, ok := p.arg(directive)
	switch {
	case !ok:
		return 0, false
	case arg.isComposite():
		return n, p.composite(arg, directive, verb, star)
	case strings.IndexByte(verbKinds[verb], arg.kind) < 0:
		p.b.m.Refuse(arg.expr, "use "+verbFor[arg.kind]+" or %v", "qd.Printf format %s has an argument of type %s",
			directive, p.b.m.TypeString(p.b.GoType(arg.expr)))
		return 0, false
	case verb == 'T' && arg.named:
		p.b.m.Refuse(arg.expr, "write the type's name into the format", "qd.Printf format %%T has an argument of the declared type %s",
			p.b.m.TypeString(p.b.GoType(arg.expr)))
		return 0, false
	case arg.kind != kindString:
		p.out.WriteString(directive)
	case star:
		p.b.m.Refuse(arg.expr, "write the width into the format", "qd.Printf format %s has a constant string as argument", directive)
		return 0, false
	default:
		p.out.WriteString(strings.ReplaceAll(fmt.Sprintf(directive, arg.text), "%", "%%"))
	}
	return n, true
}

// arg takes the next argument.
func (p *printfFormat) arg(directive string) (printfArg, bool) {
	if p.next == len(p.args) {
		p.b.m.Refuse(p.call, "add the argument, or write %% for a percent sign",
			"qd.Printf format %s reads arg #%d, but call has %s", directive, p.next+1, plural(len(p.args)))
		return printfArg{}, false
	}
	p.next++
	return p.args[p.next-1], true
}

// width takes the argument of a star, which stands for a number.
func (p *printfFormat) width(directive string) bool {
	arg, ok := p.arg(directive)
	if ok && arg.kind != kindInt {
		p.b.m.Refuse(arg.expr, "pass an int", "qd.Printf format %s has a width of type %s", directive, p.b.m.TypeString(p.b.GoType(arg.expr)))
		return false
	}
	return ok
}
