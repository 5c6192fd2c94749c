package launch

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/qdgen/qd/frontend"
)

// manyPrograms is for how many values of package variables a specialization is built until the log says so. A few values
// are what such variables are for: a precision, a switch, a size. One that changes with each launch makes each launch wait
// for a compiler.
const manyPrograms = 16

// warnOfMany says that a kernel has programs for many values of package variables, and of which. It is called with the
// programs of a specialization when there is another one.
func warnOfMany(kernel string, programs []*variant) {
	if len(programs) != manyPrograms {
		return
	}
	var asked [][]frontend.Asked
	for _, v := range programs {
		asked = append(asked, v.Asked)
	}
	names := differing(asked)
	if len(names) == 0 {
		return
	}
	slog.Warn(fmt.Sprintf("qd: kernel %s has been compiled for %d values of %s, which it has as constants: launches with other values wait for a compiler",
		kernel, len(programs), strings.Join(names, " and ")), "help", "pass what changes between launches as an argument")
}

// differing are the package variables and expressions to which lists of answers have different ones.
func differing(lists [][]frontend.Asked) (names []string) {
	values := make(map[string]string)
	for _, list := range lists {
		for _, a := range list {
			name := fmt.Sprintf("package variable %s.%s", a.Var.Pkg, a.Var.Name)
			if a.Site != nil {
				name = "qd.Static(" + a.Site.Expr + ")"
			}
			of := name // an expression may be asked for with several arguments
			for _, arg := range a.Args {
				of += "\x00" + string(arg.Append(nil))
			}
			value := string(a.Value.Append(nil))
			if old, ok := values[of]; ok && old != value && !slices.Contains(names, name) {
				names = append(names, name)
			}
			values[of] = value
		}
	}
	return names
}
