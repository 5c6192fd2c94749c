package cost

import (
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/nvrtc/cubin"
	"github.com/qdgen/qd/ssa"
)

// Those of CUDA's occupancy calculator, and of cudaFuncGetAttributes on real GPUs: 80
// registers allow 768 threads, 96 allow 640.
func TestMaxThreads(t *testing.T) {
	for _, tt := range []struct{ registers, bounds, want int }{
		{0, 0, 1024}, {8, 0, 1024}, {64, 0, 1024}, {65, 0, 896}, {72, 0, 896}, {80, 0, 768}, {96, 0, 640},
		{128, 0, 512}, {168, 0, 384}, {255, 0, 256}, {8, 96, 96}, {255, 512, 256},
	} {
		if got := maxThreads(&cubin.Kernel{Registers: tt.registers, MaxThreads: tt.bounds}); got != tt.want {
			t.Errorf("%d registers, bounds of %d: %d threads, want %d", tt.registers, tt.bounds, got, tt.want)
		}
	}
}

func TestGoName(t *testing.T) {
	m := &ssa.Module{Funcs: []*ssa.Func{{Name: "sum"}, {Name: "vec.Dot"}, {Name: "m"}}}
	for symbol, want := range map[string]string{
		"_ZN36_INTERNAL_00000000_9_source_cu_calls3sumE5arrayIfLx8EEx": "sum",
		"_Z7vec_Dotff":                        "vec.Dot",
		"__internal_trig_reduction_slowpathd": "__internal_trig_reduction_slowpathd",
	} {
		if got := goName(m, symbol); got != want {
			t.Errorf("%s is %s, want %s", symbol, got, want)
		}
	}
}

// How accesses are told apart where the cubin does not say it: before CUDA 12.
func TestKind(t *testing.T) {
	spill, other := cubin.Access{Spill: true}, cubin.Access{}
	for _, tt := range []struct {
		name     string
		accesses []cubin.Access
		spills   int
		ptx      string
		access   cubin.Access
		want     Kind
	}{
		{"marked", []cubin.Access{spill, other}, 4, "\t.local .align 4 .b8 \t__local_depot0[132];", spill, Spill},
		{"others are marked", []cubin.Access{spill, other}, 4, "", other, Array},
		{"nothing spills", []cubin.Access{other}, 0, "", other, Array},
		{"no array in PTX", []cubin.Access{other}, 4, "mov.u64 %SPL, 3;", other, Spill},
		{"both", []cubin.Access{other}, 4, ".func f()\n{\n\t.local .align 4 .b8 \t__local_depot0[132];\n", other, Unknown},
	} {
		x := &explainer{kernel: &Kernel{SpillStores: tt.spills}, cubin: &cubin.Kernel{Accesses: tt.accesses}, frames: hasFrames([]byte(tt.ptx))}
		if got := x.kind(tt.access); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Accesses that cannot be told apart are said to be just that, at their line.
func TestUnknown(t *testing.T) {
	at := ssa.Pos{File: "k.go", Line: 7, Col: 2}
	f := &ssa.Func{Name: "k", Decl: ssa.Stmt{Pos: ssa.Pos{File: "k.go", Line: 5, Col: 1}}}
	x := &explainer{
		kernel: &Kernel{SpillStores: 4}, fn: f, frames: true, lines: []*ssa.Stmt{nil, {Pos: at}},
		cubin: &cubin.Kernel{Accesses: []cubin.Access{
			{Store: true, Bytes: 4, Lines: []cubin.Line{{Line: 1}, {Line: 2}}}, // a line of the prelude, inlined for one of Go
			{Bytes: 8, Lines: []cubin.Line{{Line: 2}}},
			{Bytes: 16, Lines: []cubin.Line{{Line: 3}}}, // past the text
		}},
	}
	list := x.warnings()
	if len(list) != 2 || list[0].Kind != Unknown || list[0].Line != 5 || list[0].Loads != 16 ||
		list[1].Line != 7 || list[1].Stores != 4 || list[1].Loads != 8 || list[1].Hint == "" {
		t.Errorf("%+v", list)
	}
}

// Of several arrays each access is put down to the one that its statement touches. What
// the compiler has moved elsewhere is not one more warning.
func TestArrays(t *testing.T) {
	place := func(line int) ssa.Pos { return ssa.Pos{File: "k.go", Line: line, Col: 2} }
	array := func(name string, n, line int, at ...int) *local {
		l := &local{name: name, typ: ssa.Array{Len: n, Elem: ssa.Float32}, decl: place(line), indexed: true, at: map[ssa.Pos]bool{}}
		for _, n := range at {
			l.at[place(n)] = true
		}
		return l
	}
	known := array("known", 100, 3, 10)
	known.indexed = false
	access := func(line, bytes int) cubin.Access {
		return cubin.Access{Bytes: bytes, Lines: []cubin.Line{{Line: line}}}
	}
	explain := func(locals []*local, accesses ...cubin.Access) []Warning {
		x := &explainer{
			kernel: &Kernel{}, fn: &ssa.Func{Decl: ssa.Stmt{Pos: place(1)}}, locals: locals,
			lines: make([]*ssa.Stmt, 20), cubin: &cubin.Kernel{Accesses: accesses},
		}
		for i := range x.lines {
			x.lines[i] = &ssa.Stmt{Pos: place(i + 1)}
		}
		return x.warnings()
	}
	u, v := array("u", 4, 5, 10, 12), array("v", 8, 6, 11, 12)
	list := explain([]*local{known, u, v}, access(10, 4), access(11, 8), access(12, 16), access(15, 1))
	if len(list) != 2 || list[0].Local != "u" || list[0].Line != 5 || list[0].Loads != 4 || list[1].Local != "v" || list[1].Loads != 24 {
		t.Errorf("%+v", list)
	}
	// One alone is it, wherever its accesses are.
	if list := explain([]*local{known, u}, access(15, 4)); len(list) != 1 || list[0].Local != "u" || list[0].Loads != 4 {
		t.Errorf("%+v", list)
	}
	// Of an array of a library it says where that is called from, first.
	lib := array("lib", 8, 7, 10)
	lib.decl.File = "lib.go"
	called := func(line int) cubin.Access {
		return cubin.Access{Bytes: 4, Lines: []cubin.Line{{Line: 10}, {Line: line}}}
	}
	if list := explain([]*local{lib}, called(13), called(12)); len(list) != 1 || list[0].File != "lib.go" ||
		!strings.Contains(list[0].Text, "at run time by what line 12 of k.go calls, and registers") {
		t.Errorf("%+v", list)
	}
	// One that local memory has no room for is not it.
	small := &explainer{kernel: &Kernel{Local: 32}, fn: &ssa.Func{}, locals: []*local{array("large", 9, 5, 10)},
		cubin: &cubin.Kernel{Accesses: []cubin.Access{{Bytes: 4}}}}
	if list := small.warnings(); len(list) != 1 || list[0].Kind != Library {
		t.Errorf("%+v", list)
	}
	// Which of two it is cannot be told.
	if list := explain([]*local{known, u, v}, access(15, 4)); len(list) != 1 || list[0].Local != "" || list[0].Kind != Array || list[0].Line != 15 {
		t.Errorf("%+v", list)
	}
	// Without any it is none of Go's.
	if list := explain([]*local{known}, access(15, 4)); len(list) != 1 || list[0].Kind != Library {
		t.Errorf("%+v", list)
	}
}

// A local that alone is larger than all registers is named, and no other place.
func TestSpills(t *testing.T) {
	at := func(line int) *ssa.Stmt { return &ssa.Stmt{Pos: ssa.Pos{File: "k.go", Line: line, Col: 1}} }
	spill := func(line, bytes int) cubin.Access {
		return cubin.Access{Spill: true, Store: true, Bytes: bytes, Lines: []cubin.Line{{Line: line}}}
	}
	x := &explainer{
		kernel: &Kernel{SpillStores: 1}, fn: &ssa.Func{Decl: *at(1)}, lines: []*ssa.Stmt{at(1), at(2), at(3), at(4)},
		cubin:  &cubin.Kernel{MaxRegisters: 64, Accesses: []cubin.Access{spill(1, 4), spill(2, 8), spill(3, 16), spill(4, 8), spill(2, 4)}},
		locals: []*local{{name: "w", typ: ssa.Array{Len: 60, Elem: ssa.Float32}, decl: at(7).Pos}, {name: "small", typ: ssa.Array{Len: 2, Elem: ssa.Float32}}},
	}
	var lines []int
	list := x.warnings()
	for _, w := range list {
		lines = append(lines, w.Line)
	}
	if !slices.Equal(lines, []int{3, 2, 4}) || !strings.HasSuffix(list[0].Hint, "; the largest local variables are w (line 7, 60 registers)") || list[1].Hint != "" {
		t.Errorf("%+v", list)
	}
	x.locals[0].typ = ssa.Array{Len: 40, Elem: ssa.Float64}
	list = x.warnings()
	if len(list) != 1 || list[0].Local != "w" || list[0].Line != 7 || list[0].Stores != 40 || !strings.Contains(list[0].Text, "80 registers, but a thread has 64") {
		t.Errorf("%+v", list)
	}
}

// Of what spills in a library or a generated file it says where that is called from, first.
func TestSpillsOfCalled(t *testing.T) {
	at := func(file string, line int) *ssa.Stmt { return &ssa.Stmt{Pos: ssa.Pos{File: file, Line: line, Col: 1}} }
	spill := func(bytes int, lines ...int) cubin.Access {
		a := cubin.Access{Spill: true, Store: true, Bytes: bytes}
		for _, line := range lines {
			a.Lines = append(a.Lines, cubin.Line{Line: line})
		}
		return a
	}
	x := &explainer{
		kernel: &Kernel{SpillStores: 1}, fn: &ssa.Func{Decl: *at("k.go", 1)},
		lines: []*ssa.Stmt{at("lib.go", 90), at("lib.go", 80), at("k.go", 5), at("k.go", 4)},
		cubin: &cubin.Kernel{MaxRegisters: 64, Accesses: []cubin.Access{
			spill(16, 1, 2, 3), spill(4, 1, 4), spill(8, 3), spill(4, 2),
		}},
		locals: []*local{{name: "w", typ: ssa.Array{Len: 60, Elem: ssa.Float32}, decl: at("lib.go", 70).Pos}},
	}
	texts := func() (list []string) {
		for _, w := range x.warnings() {
			list = append(list, w.Text)
		}
		return list
	}
	want := []string{
		"registers run out here, in what line 4 of k.go calls: values spill to local memory",
		"registers run out here: values spill to local memory",
		"registers run out here: values spill to local memory",
	}
	if got := texts(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if hint := x.warnings()[0].Hint; !strings.HasSuffix(hint, "; the largest local variables are w (line 70 of lib.go, 60 registers)") {
		t.Error(hint)
	}
	x.locals[0].typ = ssa.Array{Len: 40, Elem: ssa.Float64}
	want = []string{"w, [40]float64, spills to local memory, in what line 4 of k.go calls: it takes 80 registers, but a thread has 64"}
	if got := texts(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// An array is indexed at run time if some call of the function that indexes it gives what is no constant.
func TestConstantIndices(t *testing.T) {
	row := ssa.Array{Len: 4, Elem: ssa.Float32}
	stmt := &ssa.Stmt{Pos: ssa.Pos{File: "k.go", Line: 3, Col: 2}}
	add := func(f *ssa.Func, in ssa.Instr, results ...ssa.Type) *ssa.Instr {
		in.Stmt = stmt
		return f.Body.Append(&in, results...)
	}
	for _, atRunTime := range []bool{false, true} {
		pick := ssa.NewFunc("pick") // func pick(row [4]float32, j int) float32 { return row[j] }
		pick.Results = []ssa.Type{ssa.Float32}
		v, j := pick.Body.AddParam(row, "row"), pick.Body.AddParam(ssa.Int64, "j")
		elem := add(pick, ssa.Instr{Op: ssa.OpElem, Args: []*ssa.Value{v, j}}, ssa.Float32)
		add(pick, ssa.Instr{Op: ssa.OpReturn, Args: elem.Results})
		again := ssa.NewFunc("again") // func again(row [4]float32, k int) float32 { return pick(row, k) }
		again.Results = []ssa.Type{ssa.Float32}
		w, k := again.Body.AddParam(row, "row"), again.Body.AddParam(ssa.Int64, "k")
		called := add(again, ssa.Instr{Op: ssa.OpCall, Callee: pick, Args: []*ssa.Value{w, k}}, ssa.Float32)
		add(again, ssa.Instr{Op: ssa.OpReturn, Args: called.Results})
		kernel := ssa.NewFunc("k")
		kernel.Kernel = true
		n := kernel.Body.AddParam(ssa.Int64, "n")
		zero := add(kernel, ssa.Instr{Op: ssa.OpZero}, row).Results[0]
		two := add(kernel, ssa.Instr{Op: ssa.OpConst, Const: ssa.IntConst(ssa.Int64, 2)}, ssa.Int64).Results[0]
		if atRunTime {
			add(kernel, ssa.Instr{Op: ssa.OpCall, Callee: again, Args: []*ssa.Value{zero, n}}, ssa.Float32)
		}
		add(kernel, ssa.Instr{Op: ssa.OpCall, Callee: again, Args: []*ssa.Value{zero, two}}, ssa.Float32)
		add(kernel, ssa.Instr{Op: ssa.OpCall, Callee: pick, Args: []*ssa.Value{zero, two}}, ssa.Float32)
		locals := localsOf(&ssa.Module{Funcs: []*ssa.Func{pick, again, kernel}})
		if got := slices.ContainsFunc(locals, isIndexed); got != atRunTime {
			t.Errorf("indexed at run time is %v, want %v", got, atRunTime)
		}
	}
}
