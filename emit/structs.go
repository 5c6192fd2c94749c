package emit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target/declare"
)

// structs are the names of a module's struct types in the text.
//
// A field that takes no room in Go would take some in C++, so it is left out:
// its value is T{}, which is the only one that it can have, and its address that
// of the struct.
type structs struct {
	*declare.Structs
	names  map[*ssa.Struct]string
	fields map[*ssa.Struct][]string // "" for a field that takes no room
	hidden map[string]bool          // names that fields hide where a struct is being printed
}

// nameStructs names the struct types of a module.
func (p *printer) nameStructs() {
	s := &structs{Structs: p.declared.Structs, names: make(map[*ssa.Struct]string), fields: make(map[*ssa.Struct][]string)}
	p.structs = s
	if s.Arrays {
		p.need("array_equal")
	}
	taken := make(map[string]bool)
	for _, t := range s.Order {
		base := globalName(t.Name)
		if t.Name == "" {
			base = unnamed(t)
		}
		name := base
		for n := 2; taken[name] || p.avoid[name] || p.framed(name) || slices.Contains(p.d.Hidden, name); n++ {
			name = withNumber(base, n)
		}
		taken[name] = true
		s.names[t] = name
	}
	for _, t := range s.Order {
		s.fields[t] = fieldNames(t, s.names[t])
	}
	for name := range taken {
		p.avoid[name] = true
	}
}

// unnamed is a name for a struct type that has none in Go.
func unnamed(t *ssa.Struct) string {
	name := "struct"
	for i, f := range t.Fields {
		if i == 4 {
			break
		}
		name += "_" + strings.Trim(identifier(f.Name), "_")
	}
	if len(t.Fields) == 0 {
		return "nothing"
	}
	return strings.TrimRight(name, "_") + "_"
}

// fieldNames are the names of a struct's fields: no two alike, and none that of the
// struct, which C++ keeps for constructors.
func fieldNames(t *ssa.Struct, name string) []string {
	taken := map[string]bool{name: true}
	names := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		if f.Type.Size() == 0 {
			continue
		}
		base := identifier(f.Name)
		if f.Name == "_" {
			base = "blank"
		}
		if reserved[base] || base == name {
			base += "_"
		}
		names[i] = base
		for n := 2; taken[names[i]]; n++ {
			names[i] = withNumber(base, n)
		}
		taken[names[i]] = true
	}
	return names
}

// structsAhead declares the structs to which pointers point before they are defined.
func (p *printer) structsAhead() {
	for _, t := range p.structs.Ahead {
		p.w.line("struct " + p.structs.names[t] + ";")
	}
}

// structDefinition prints a struct that is laid out as t is.
func (p *printer) structDefinition(t *ssa.Struct) {
	names := p.structs.fields[t]
	p.structs.hidden = make(map[string]bool)
	for _, n := range names {
		p.structs.hidden[n] = true
	}
	var lines, offsets []string
	at, align := 0, 1
	for i, f := range t.Fields {
		if names[i] == "" {
			align = max(align, f.Type.Align()) // a field without size aligns the next one
			continue
		}
		natural := ssa.AlignUp(at, f.Type.Align())
		if natural != at || align > 1 {
			offsets = append(offsets, fmt.Sprintf("%s(%s, %s) == %d", cmp.Or(p.d.OffsetOf, "__builtin_offsetof"), p.structs.names[t], names[i], t.Offset(i)))
		}
		lines = append(lines, "    "+alignment(align, f.Type)+p.typeName(f.Type)+" "+names[i]+";")
		at, align = t.Offset(i)+f.Type.Size(), 1
	}
	if padded(t) {
		lines = append(lines, "    "+alignment(align, ssa.Uint8)+"uint8 "+padName(names)+";")
	}
	p.structs.hidden = nil
	name := p.structs.names[t]
	if p.structs.Compared[t] {
		lines = append(lines, p.equality(t)...)
	}
	if len(lines) == 0 {
		p.w.line("struct " + name + " {};")
		return
	}
	p.w.line("struct " + name + " {")
	p.lines(lines)
	p.w.line("};")
	if p.structs.Shared[t] && t.Size() > 0 {
		if len(offsets) > 0 && p.d.OffsetOf != "" {
			p.need(p.d.OffsetOf)
		}
		offsets = append([]string{fmt.Sprintf("sizeof(%s) == %d", name, t.Size())}, offsets...)
		p.w.line("static_assert(" + strings.Join(offsets, " && ") + ", \"the host lays it out so\");")
	}
}

// alignment is what a field of type t that stands after fields without size, of some alignment, has in front.
func alignment(align int, t ssa.Type) string {
	if align <= t.Align() {
		return ""
	}
	return "alignas(" + strconv.Itoa(align) + ") "
}

// padded reports whether t ends in a byte for a last field without size: see [ssa.StructOf].
func padded(t *ssa.Struct) bool {
	n := len(t.Fields)
	return n > 0 && t.Size() > 0 && t.Fields[n-1].Type.Size() == 0
}

func padName(fields []string) string {
	name := "pad"
	for n := 2; slices.Contains(fields, name); n++ {
		name = withNumber("pad", n)
	}
	return name
}

// equality are the lines of a struct's operators that mean Go's == and !=.
func (p *printer) equality(t *ssa.Struct) []string {
	var tests []string
	for i, f := range t.Fields {
		field := p.structs.fields[t][i]
		if field == "" || f.Name == "_" {
			continue
		}
		own := field
		if own == "that" {
			own = "this->that" // the parameter hides it
		}
		tests = append(tests, own+" == that."+field)
	}
	other := "const " + p.structs.names[t] + "&"
	equal := fmt.Sprintf("bool operator==(%s that) const { return %s; }", other, strings.Join(tests, " && "))
	if tests == nil {
		equal = fmt.Sprintf("bool operator==(%s) const { return true; }", other)
	}
	return []string{
		"    " + p.d.Device + equal,
		"    " + p.d.Device + fmt.Sprintf("bool operator!=(%s that) const { return !(*this == that); }", other),
	}
}

// parts are the initializers of an OpMake, in braces.
func (p *printer) parts(in *ssa.Instr) string {
	var parts []string
	for _, a := range in.Args {
		if a.Type.Size() > 0 {
			parts = append(parts, p.part(a))
		}
	}
	if t, ok := in.Results[0].Type.(*ssa.Struct); ok && padded(t) {
		parts = append(parts, "0")
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// part is the text of v where braces do not convert.
func (p *printer) part(v *ssa.Value) string {
	e := p.expr(v)
	if _, constant := v.Const(); constant {
		return e.text
	}
	return p.typed(v)
}

// initializer is the text of a variable's first value, in whose declaration the type stands.
func (p *printer) initializer(v *ssa.Value) string {
	if p.code.IsInline(v) {
		return p.initial(v.Def)
	}
	return p.expr(v).text
}

// initial is [printer.initializer] of an instruction.
func (p *printer) initial(in *ssa.Instr) string {
	switch in.Op {
	case ssa.OpMake:
		return p.parts(in)
	case ssa.OpZero:
		if _, ok := in.Results[0].Type.(ssa.Pointer); !ok {
			return "{}"
		}
	}
	return p.instr(in).text
}
