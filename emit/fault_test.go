package emit_test

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/nvrtc"
	"github.com/qdgen/qd/ssa"
	ssatarget "github.com/qdgen/qd/ssa/target"
	"github.com/qdgen/qd/ssa/target/abi"
)

// A faultRecord is the record as the text lays it out.
type faultRecord struct {
	state, site int32
	thread      int64
	values      [4]int64
}

// checked is a module with a kernel for each check and for panics: thread i checks what
// is at i in its slices, and writes 1 to out[i] if that holds.
func checked() (*ssa.Module, []faultCase) {
	m := &ssa.Module{Name: "checked", Pkg: "example.com/k"}
	var cases []faultCase
	add := func(c faultCase, types []ssa.Type, check ssa.Check, body func(b *builder, in []*ssa.Value)) {
		f := ssa.NewFunc("check" + c.name)
		f.Decl = ssa.Stmt{Text: "func " + f.Name}
		in := make([]*ssa.Value, len(types))
		for i, t := range types {
			in[i] = f.Body.AddParam(t, fmt.Sprintf("x%d", i))
		}
		b := &builder{b: f.Body}
		b.at("check")
		if body == nil {
			b.do(ssa.Instr{Op: ssa.OpCheck, Check: check, Message: "message", Pos: ssa.Pos{File: "k.go", Line: 7, Col: 3}, Args: in})
		} else {
			body(b, in)
		}
		f.Results = []ssa.Type{ssa.Int32}
		b.do(ssa.Instr{Op: ssa.OpReturn, Args: args(constant(f.Body, ssa.Int32, 1))})
		m.Funcs = append(m.Funcs, f)
		c.kernel = mapKernel(m, c.name, types, []ssa.Type{ssa.Int32}, func(b *ssa.Block, in []*ssa.Value) []*ssa.Value {
			return args(b.Append(&ssa.Instr{Op: ssa.OpCall, Callee: f, Args: in}, ssa.Int32).Result())
		})
		c.types = types
		cases = append(cases, c)
	}
	i64 := ssa.Int64
	const minus = ^uint64(0)
	add(faultCase{name: "index", good: rowsOf(0, 3, 7, 8), bad: rowsOf(minus, 8, 8, 8, 1<<40, 8)}, []ssa.Type{i64, i64}, ssa.CheckIndex, nil)
	add(faultCase{name: "slice", good: rowsOf(0, 0, 0, 1, 4, 4), bad: rowsOf(minus, 2, 3, 2, 1, 3, 0, 4, 3, 1, minus, 3)}, []ssa.Type{i64, i64, i64}, ssa.CheckSlice, nil)
	add(faultCase{name: "divide", good: rowsOf(1, 255), bad: rowsOf(0)}, []ssa.Type{ssa.Uint8}, ssa.CheckDivide, nil)
	add(faultCase{name: "shift", good: rowsOf(0, 77), bad: rowsOf(minus, 1<<31)}, []ssa.Type{ssa.Int32}, ssa.CheckShift, nil)
	add(faultCase{name: "assert", good: rowsOf(1), bad: rowsOf(0)}, []ssa.Type{ssa.Bool}, ssa.CheckAssert, nil)
	add(faultCase{name: "nil", good: rowsOf(1), bad: rowsOf(0)}, []ssa.Type{ssa.Bool}, 0, func(b *builder, in []*ssa.Value) {
		p := b.local("x", b.int(5))
		b.do(ssa.Instr{Op: ssa.OpIf, Args: in})
		branch := b.b.Instrs[len(b.b.Instrs)-1]
		branch.NewBlock().Append(&ssa.Instr{Op: ssa.OpYield, Args: args(p)})
		null := branch.NewBlock()
		null.Append(&ssa.Instr{Op: ssa.OpYield, Args: args(op(null, ssa.OpZero, p.Type))})
		b.do(ssa.Instr{Op: ssa.OpCheck, Check: ssa.CheckNil, Args: args(branch.AddResult(p.Type, "p"))})
	})
	add(faultCase{name: "panics", good: rowsOf(0, 0), bad: rowsOf(1, 0x3fc00000)}, []ssa.Type{ssa.Bool, ssa.Float32}, 0, func(b *builder, in []*ssa.Value) {
		branch := b.b.Append(&ssa.Instr{Op: ssa.OpIf, Args: in[:1]})
		branch.NewBlock().Append(&ssa.Instr{Op: ssa.OpPanic, Message: "no", Args: args(in[0], in[1])})
		branch.NewBlock().Append(&ssa.Instr{Op: ssa.OpYield})
	})
	return m, cases
}

// A faultCase is a kernel, and rows of what its threads check: good ones, and bad ones.
type faultCase struct {
	name      string
	kernel    *ssa.Func
	types     []ssa.Type
	good, bad []uint64
}

func rowsOf(xs ...uint64) []uint64 { return xs }

// Each check stops the thread for which it does not hold, and records it.
func TestFaults(t *testing.T) {
	m, cases := checked()
	verify(t, m)
	ssatarget.NumberChecks(m)
	sites := abi.FaultSites(m)
	forTargets(t, func(t *testing.T, to target) {
		b := build(t, to, m)
		record := (*faultRecord)(*(*unsafe.Pointer)(unsafe.Pointer(&[]uintptr{symbol(t, b.lib, "qd_fault")}[0])))
		for site, c := range cases {
			n := len(c.types)
			for row := 0; row < len(c.bad); row += n {
				bad := c.bad[row : row+n]
				// Threads before and after it are good.
				rows := append(append(append([]uint64(nil), c.good...), bad...), c.good...)
				threads, failing := len(rows)/n, len(c.good)/n
				var in []any
				for k, ty := range c.types {
					a := newArray(ty.Size(), threads)
					for i := range threads {
						a.set(i, rows[i*n+k])
					}
					in = append(in, a)
				}
				out := newArray(4, threads)
				*record = faultRecord{}
				b.run(t, c.kernel, []int{threads}, append(in, out)...)
				want := faultRecord{state: 2, site: int32(site), thread: int64(failing)}
				for k, ty := range sites[site].Types {
					want.values[k] = int64(bad[k])
					if ty == "int32" {
						want.values[k] = int64(int32(bad[k]))
					}
				}
				if *record != want {
					t.Errorf("%s%x: %+v, want %+v", c.name, bad, *record, want)
				}
				for i := range failing + 1 {
					if got := out.get(i); (got == 1) != (i < failing) {
						t.Errorf("%s%x: out[%d] is %d", c.name, bad, i, got)
					}
				}
			}
		}
	})
}

// The text compiles without a warning, by gcc and NVRTC too.
func TestFaultText(t *testing.T) {
	m, _ := checked()
	text := compile.CPU.Text(m, emit.Options{}).Source
	if out, err := gcc(t, text); err != nil {
		t.Errorf("g++: %v\n%s", err, out)
	}
	testenv.Setup()
	lib, err := nvrtc.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	r, err := testcache.CompileCUDA(lib, compile.CUDA.Text(m, emit.Options{}).Source, "k.cu", nvrtc.Options{Arch: "sm_80"})
	if err != nil {
		t.Fatal(err)
	}
	if r.Log != "" {
		t.Errorf("NVRTC says\n%s", r.Log)
	}
	if !strings.Contains(string(r.PTX), "exit;") {
		t.Errorf("the PTX has no exit:\n%s", r.PTX)
	}
}

func TestSites(t *testing.T) {
	m, _ := checked()
	ssatarget.NumberChecks(m)
	var kinds []string
	for _, s := range abi.FaultSites(m) {
		kinds = append(kinds, fmt.Sprint(s.Kind, s.Types))
	}
	want := "index[int64 int64] slice[int64 int64 int64] divide[] shift[int32] assert[] nil[] panic[bool float32]"
	if got := strings.Join(kinds, " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if s := abi.FaultSites(m)[0]; s.Check != ssa.CheckIndex || s.Pos != (ssa.Pos{File: "k.go", Line: 7, Col: 3}) || s.Message != "message" {
		t.Errorf("%+v", s)
	}
}
