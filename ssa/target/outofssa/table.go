package outofssa

import "github.com/qdgen/qd/ssa"

// minTable is how many constants a table has at least, of which a zero of any type is one. Compilers keep fewer in
// registers.
const minTable = 32

// IsTable reports whether an instruction makes an array of many constants. It need be made only once, in memory that all
// threads read. Compilers do not see that by themselves where the elements are arrays or structs, or on a GPU. The values
// that a table is made of have no variables of their own.
func (f *Func) IsTable(in *ssa.Instr) bool {
	if in.Op != ssa.OpMake || f.constants[in.Results[0]] < minTable {
		return false
	}
	_, isArray := in.Results[0].Type.(ssa.Array)
	return isArray
}

// IsTableCopy reports whether a variable in memory has a table for its value, and nobody can tell it from that: nothing is
// written to it, and its address is not compared. It can be the table itself, unless the variable that has the table gets
// other values.
func (f *Func) IsTableCopy(in *ssa.Instr) bool { return f.tableCopies[in] }

// findTableCopies finds the variables that can be tables themselves.
func (t *translation) findTableCopies() {
	t.f.fn.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpLocal || in.Args[0].Def == nil || !t.f.IsTable(in.Args[0].Def) {
			return
		}
		if !t.summaries.Memory(t.f.fn).IsOnlyRead(in.Results[0]) {
			return
		}
		if t.f.tableCopies == nil {
			t.f.tableCopies = make(map[*ssa.Instr]bool)
		}
		t.f.tableCopies[in] = true
	})
}

// countConstants counts the constants in what an instruction makes of these alone.
func (f *Func) countConstants(in *ssa.Instr) {
	if in.Op != ssa.OpMake {
		return
	}
	n := 0
	for _, a := range in.Args {
		switch {
		case a.Def != nil && (a.Def.Op == ssa.OpConst && isLiteral(a) || a.Def.Op == ssa.OpZero):
			n++
		case f.constants[a] > 0:
			n += f.constants[a]
		default:
			return
		}
	}
	if f.constants == nil {
		f.constants = make(map[*ssa.Value]int)
	}
	f.constants[in.Results[0]] = n
}

// isLiteral reports whether a constant is printed as a literal. Infinities and NaN are calls: what has them is no constant
// to a compiler.
func isLiteral(v *ssa.Value) bool {
	if !ssa.IsFloat(v.Type) {
		return true
	}
	c, _ := v.Const()
	x := c.Float(v.Type)
	return x-x == 0
}

// isInTables reports whether a value is only used as a part of tables.
func (t *translation) isInTables(v *ssa.Value) bool {
	for _, user := range t.users[v.ID] {
		if user.Op != ssa.OpMake || !t.f.IsTable(user) && !t.isInTables(user.Results[0]) {
			return false
		}
	}
	return len(t.users[v.ID]) > 0 && t.f.constants[v] > 0
}
