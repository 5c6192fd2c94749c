package randprog

import (
	"fmt"
	"go/format"
	"path"
	"strings"

	"github.com/qdgen/qd/internal/randprog/harness"
	"golang.org/x/tools/txtar"
)

// Case writes a finding as a case of the corpus: the program and the launch that
// shows what is wrong, to be completed by go test -update. It is nil for a kernel
// with parameters that the corpus has no values for.
func (f Finding) Case() []byte {
	name := fmt.Sprintf("random%d", f.Program.Seed)
	p := f.Program.Tagged(fmt.Sprint("Random", f.Program.Seed))
	launch := p.Launches()[f.Launch]
	if p.isGiven() {
		return nil
	}
	for _, q := range p.Kernel.Params[1:] {
		if !q.Type.isScalar() && !(q.Type.Form == Slice && q.Type.Elem.isScalar()) {
			return nil
		}
	}
	args, _ := harness.Args(p.kernelType(), p.Inputs, launch)
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
