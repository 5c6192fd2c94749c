package cost

import (
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
