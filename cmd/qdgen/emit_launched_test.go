package main

import (
	"os"
	"testing"
)

// TestEmitLaunched prints kernels that need values as the package's own launches give them, and where
// these differ says which there are.
func TestEmitLaunched(t *testing.T) {
	archive, err := os.ReadFile("testdata/gen/launched.txtar")
	if err != nil {
		t.Fatal(err)
	}
	enter(t, newModule(t, archive), inModule)
	for _, tt := range []struct {
		name   string
		args   []string
		exit   int
		stdout []string
		stderr []string
	}{
		{"another file's imports", []string{"--kernel", "Map.Kernel"}, 0, []string{"kernel Map[float32,ScaleBy].Kernel", "const 4"},
			[]string{"kernel Map.Kernel is printed with the values of the launch at main.go:16: --const k='Map[float32, ScaleBy]{ScaleBy{float32(math.Sqrt(16))}}'\n"}},
		{"locals", []string{"--kernel", "shift.Add"}, 0, []string{"const 87"}, // 2*40 + 1 + 2*3
			[]string{"with the values of the launch at main.go:17: --const s='shift{by: int(2 * int(base)) + 1, table: [...]int{(1 + 1) * 3, 0}}'\n"}},
		{"constant", []string{"--kernel", "fill"}, 0, []string{"const 42"}, []string{"with the values of the launch at main.go:26: --const n='int(base)+2'\n"}},
		{"several", []string{"--kernel", "step.Kernel"}, 1, nil, []string{
			`kernel step.Kernel has compile-time arguments; give it --const s='step...', its receiver, and --const op=..., of type main.Op;` +
				` the package launches it with --const s='step{1}' --const op='Op('\''a'\'')' (main.go:18), and with --const s='step{n: 2}' --const op='Op(8)' (main.go:19)`}},
		{"one of them known when it runs", []string{"--kernel", "mixed.Kernel"}, 1, nil, []string{"; the package launches it with --const m='mixed{3}' (main.go:28), and with values that are known only when the program runs\n"}},
		{"one of several", []string{"--kernel", "step.Kernel", "--const", "s=step{5}", "--const", "op=8"}, 0, []string{"const 13"}, nil},
		{"known when it runs", []string{"--kernel", "changing.Kernel"}, 1, nil, []string{"kernel changing.Kernel has compile-time arguments; give it --const c='changing...', its receiver\n"}},
		{"type arguments", []string{"--kernel", "total"}, 0, []string{"kernel total[f32.Vec3,float32]"},
			[]string{"kernel total is printed with the values of the launch at more.go:11: --type V=f32.Vec3 --type T=float32 --const n=3\n"}},
		{"several lists of type arguments", []string{"--kernel", "norm"}, 1, nil,
			[]string{"; the package launches it with --type V=f32.Vec3 --type T=float32 (more.go:12), and with --type V=vec.Vec2 --type T=float64 (more.go:13)\n"}},
		{"type of a receiver", []string{"--kernel", "Map.Kernel", "--type", "T=float32"}, 1, nil,
			[]string{"--type T=float32: T is a type parameter of Map, the receiver of kernel Map.Kernel, whose value says what it is: --const k='Map[...]{...}'\n"}},
		{"pointer receiver", []string{"--kernel", "changing.Go"}, 1, nil, []string{"kernels.go:48:6: ", "receiver"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := append([]string{"emit", "--target", "ssa"}, tt.args...)
			qdgen(t, ".", nil, args...).want(t, tt.exit, tt.stdout, tt.stderr)
		})
	}
}
