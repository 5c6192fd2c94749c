package randprog

import (
	"fmt"
	"go/format"
	"path"
	"reflect"
	"strings"

	"github.com/qdgen/qd/internal/randprog/harness"
	"golang.org/x/tools/txtar"
)

// reflected are the types that a case of the corpus has values for.
var reflected = map[*Type]reflect.Type{
	boolType: reflect.TypeFor[bool](),
	intType:  reflect.TypeFor[int](), int8Type: reflect.TypeFor[int8](), int16Type: reflect.TypeFor[int16](),
	int32Type: reflect.TypeFor[int32](), int64Type: reflect.TypeFor[int64](),
	uintType: reflect.TypeFor[uint](), uint8Type: reflect.TypeFor[uint8](), uint16Type: reflect.TypeFor[uint16](),
	uint32Type: reflect.TypeFor[uint32](), uint64Type: reflect.TypeFor[uint64](),
	float32Type: reflect.TypeFor[float32](), float64Type: reflect.TypeFor[float64](),
}

// Case writes a finding as a case of the corpus: the program and the launch that
// shows what is wrong, to be completed by go test -update. It is nil for a kernel
// with parameters that the corpus has no values for.
func (f Finding) Case() []byte {
	name := fmt.Sprintf("random%d", f.Program.Seed)
	p := f.Program.Tagged(fmt.Sprint("Random", f.Program.Seed))
	launch := p.Launches()[f.Launch]
	params := []reflect.Type{reflect.TypeFor[int]()} // for the Thread
	for _, q := range p.Kernel.Params[1:] {
		t := reflected[q.Type]
		if q.Type.Form == Slice && reflected[q.Type.Elem] != nil {
			t = reflect.SliceOf(reflected[q.Type.Elem])
		}
		if t == nil {
			return nil
		}
		params = append(params, t)
	}
	args, _ := harness.Args(reflect.FuncOf(params, nil, false), p.Inputs, launch)
	var text strings.Builder
	fmt.Fprintf(&text, "dim %s\n", strings.Trim(fmt.Sprint(launch.Dims), "[]"))
	for i, q := range p.Kernel.Params[1:] {
		fmt.Fprintf(&text, "%s = %v\n", q.Name, args[i])
	}
	body, imports := p.Source(), ""
	for _, pkg := range []string{"math", "math/bits"} {
		if strings.Contains(body, path.Base(pkg)+".") {
			imports += fmt.Sprintf("\t%q\n", pkg)
		}
	}
	source := "package corpus\n\nimport (\n" + imports + "\n\t\"github.com/qdgen/qd\"\n)\n\n" + body
	source = strings.ReplaceAll(source, p.Name, name)
	if nice, err := format.Source([]byte(source)); err == nil {
		source = string(nice)
	}
	return txtar.Format(&txtar.Archive{
		Comment: fmt.Appendf(nil, "A random program, made smaller: %s.\n", f.Kind),
		Files:   []txtar.File{{Name: "kernel.go", Data: []byte(source)}, {Name: "launch", Data: []byte(text.String())}},
	})
}
