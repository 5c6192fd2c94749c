package emit

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// RowNames are what a dialect's loop over the threads of a row calls what does
// not change in it.
type RowNames struct {
	Args  string                      // the argument struct
	Index func(rank, axis int) string // the index along an axis that is not the last
	Dim   func(rank, axis int) string // the launch's size along an axis
}

// An Interior is an [ssa.Interior] with its bounds as expressions, and the name of the function that runs the threads
// in it.
type Interior struct {
	*ssa.Interior
	From, To     []string
	Inside, Hint string // the function, and the line before a loop over these threads: see [Dialect.Hint]
	// Wide is how several of these threads run at once, nil if none do.
	Wide *Wide
}

// A Wide is an [ssa.Wide] with the name of its function, and with its conditions as expressions. Twice is "" if threads
// may not run twice.
type Wide struct {
	Lanes, Unroll int
	By, Twice     string
	// Distinct is the condition under which By may run at all, "" for always. It holds where Twice does.
	Distinct string
	// Rows is the condition under which all strides are 1, "" if By has none.
	Rows string
}

// Rows are [ssa.Rows] with the length of a row as an expression.
type Rows struct {
	*ssa.Rows
	Length string
}

// rows are those of a kernel in the text, nil for none.
func (p *printer) rows(k *ssa.Func) *Rows {
	if k.Rows == nil {
		return nil
	}
	p.need("go.div")
	p.need("go.rem")
	return &Rows{k.Rows, (&rowPrinter{p, k, p.fields(k)}).value(k.Rows.Width).text}
}

// Always is the condition of a [Wide] that holds wherever the kernel is launched.
const Always = "true"

// wide is how several threads of a kernel, or of its interior, run at once in the text, nil if they do not.
func (p *printer) wide(k *ssa.Func, w *ssa.Wide) *Wide {
	if w == nil || w.By == nil {
		return nil
	}
	wide := &Wide{Lanes: w.Lanes, Unroll: w.Unroll, By: p.names[w.By]}
	r := &rowPrinter{p, k, p.fields(k)}
	var conds []string
	for _, s := range w.Strides {
		conds = append(conds, r.value(s).text+" == 1")
	}
	wide.Rows = strings.Join(conds, " && ")
	wide.Distinct = r.pairs("same_or_apart", w.Distinct)
	if w.Twice {
		p.need("qd.step_back")
		wide.Twice = cmp.Or(r.pairs("apart", w.Apart), Always)
	}
	return wide
}

// interior is a kernel's interior in the text, nil if it has none.
func (p *printer) interior(k *ssa.Func) *Interior {
	if k.Interior == nil {
		return nil
	}
	r := &rowPrinter{p, k, p.fields(k)}
	return &Interior{
		Interior: k.Interior, From: r.bounds(k.Interior.From), To: r.bounds(k.Interior.To), Inside: p.names[k.Interior.Inside],
		Hint: p.hint(k.Interior.Inside.Vector),
		Wide: p.wide(k, k.Interior.Inside.Wide),
	}
}

// A rowPrinter prints what does not change in a row of a kernel's threads.
type rowPrinter struct {
	p      *printer
	kernel *ssa.Func
	fields []string // of the kernel's parameters
}

func (r *rowPrinter) bounds(list []ssa.Bound) (texts []string) {
	for _, b := range list {
		r.p.need("qd.between")
		switch {
		case b.Base == nil:
			texts = append(texts, integer(ssa.Int64, ssa.IntConst(ssa.Int64, uint64(b.Plus))).text)
		case b.Cut:
			r.p.need("qd.cut")
			texts = append(texts, plus(call("qd::cut("+r.value(b.Base).text+")"), b.Plus).text)
		default:
			texts = append(texts, plus(r.value(b.Base), b.Plus).text)
		}
	}
	return texts
}

// pairs is the condition that a function of the prelude holds for all pairs of slices.
func (r *rowPrinter) pairs(function string, list [][2]*ssa.RowValue) string {
	var conds []string
	for _, pair := range list {
		r.p.need(function)
		conds = append(conds, function+"("+r.value(pair[0]).text+", "+r.value(pair[1]).text+")")
	}
	return strings.Join(conds, " && ")
}

// value is the expression of a number, or of a slice or a struct that it is found in.
func (r *rowPrinter) value(v *ssa.RowValue) expr {
	return plus(r.base(v), v.Plus)
}

func (r *rowPrinter) base(v *ssa.RowValue) expr {
	p, names := r.p, r.p.d.Row
	switch v.Op {
	case ssa.OpConst:
		return integer(ssa.Int64, ssa.IntConst(ssa.Int64, uint64(v.Const)))
	case ssa.OpThreadID:
		return call(names.Index(r.kernel.LoopRank(), v.Axis))
	case ssa.OpThreadDim:
		return call(names.Dim(r.kernel.Rank, v.Axis))
	case ssa.OpLen:
		return call(r.value(v.Args[0]).text + ".len")
	case ssa.OpField:
		return expr{r.value(v.Args[0]).text + "." + p.fieldName(v.Args[0].Type, v.Index), precPostfix, true}
	case ssa.OpConvert:
		return call("int64(" + r.value(v.Args[0]).text + ")")
	case ssa.OpMin, ssa.OpMax:
		p.need("go." + v.Op.String() + ".int64")
		return call("go::" + v.Op.String() + "(" + r.value(v.Args[0]).asInt64() + ", " + r.value(v.Args[1]).asInt64() + ")")
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpDiv, ssa.OpRem:
		return infix(rowOperators[v.Op], r.value(v.Args[0]), r.value(v.Args[1]))
	}
	return expr{names.Args + "." + r.fields[v.Index], precPostfix, true}
}

var rowOperators = map[ssa.Op]operator{ssa.OpAdd: {"+", precAdd}, ssa.OpSub: {"-", precAdd}, ssa.OpMul: {"*", precMul}, ssa.OpDiv: {"/", precMul}, ssa.OpRem: {"%", precMul}}

// asInt64 is the text where the type of the expression matters.
func (e expr) asInt64() string {
	if e.exact {
		return e.text
	}
	return "int64(" + e.text + ")"
}

// plus is e + c with a small c.
func plus(e expr, c int64) expr {
	switch {
	case c > 0:
		return infix(operator{"+", precAdd}, e, expr{text: strconv.FormatInt(c, 10), prec: precPrimary})
	case c < 0:
		return infix(operator{"-", precAdd}, e, expr{text: strconv.FormatInt(-c, 10), prec: precPrimary})
	}
	return e
}
