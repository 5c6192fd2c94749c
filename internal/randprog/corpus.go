package randprog

import (
	"fmt"
	"go/format"
	"path"
	"strings"

	"github.com/qdgen/qd/internal/randprog/harness"
)

// Case writes a finding as a case of the corpus: the program and the launch that
// shows what is wrong, to be completed by go test -update. It is nil for a kernel
// with parameters that the corpus has no values for.
func (f Finding) Case() []byte {
	var body, launches strings.Builder
	for _, p := range f.All() {
		launch := f.launchOf(p)
		if launch == nil {
			return nil
		}
		fmt.Fprintf(&launches, "-- launch %s --\n%s", caseName(p), launch)
		q := p.Tagged(fmt.Sprint("Random", p.Seed))
		body.WriteString(strings.ReplaceAll(q.Source(), q.Name, caseName(p)))
	}
	imports := ""
	for _, pkg := range []string{"math", "math/bits"} {
		if strings.Contains(body.String(), path.Base(pkg)+".") {
			imports += fmt.Sprintf("\t%q\n", pkg)
		}
	}
	source := "package corpus\n\nimport (\n" + imports + "\n" + ownImports(body.String()) + ")\n\n" + body.String()
	if nice, err := format.Source([]byte(source)); err == nil {
		source = string(nice)
	}
	return fmt.Appendf(nil, "A random program, made smaller: %s.\n-- kernel.go --\n%s%s", f.Kind, source, launches.String())
}

// caseName is the name of a program's kernel in a case.
func caseName(p *Program) string { return fmt.Sprintf("random%d", p.Seed) }

// launchOf is the section with the launch of a program, nil if the corpus cannot write it.
func (f Finding) launchOf(p *Program) []byte {
	launch := p.Launches()[0]
	if p == f.Program {
		launch = p.Launches()[f.Launch]
	}
	if p.isGiven() {
		return nil
	}
	for _, q := range p.Kernel.Params[1:] {
		if !q.Type.isScalar() && !(q.Type.Form == Slice && q.Type.Elem.isScalar()) {
			return nil
		}
	}
	args, _ := harness.Args(p.kernelType(), p.Inputs, launch)
	text := fmt.Appendf(nil, "dim %s\n", strings.Trim(fmt.Sprint(launch.Dims), "[]"))
	for i, q := range p.Kernel.Params[1:] {
		text = fmt.Appendf(text, "%s = %v\n", q.Name, args[i])
	}
	return text
}
