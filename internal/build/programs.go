package build

import (
	"fmt"
	"slices"
	"sync"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/frontend/load"
)

// maxPrograms is how many checked programs are kept. It is enough for the kernels that are being specialized at one
// time.
const maxPrograms = 4

// programs keeps programs that were checked, because many specializations of one kernel share one. Nobody modifies
// them.
var programs struct {
	sync.Mutex
	list []*checked // the one used last at the end, one of each key
}

// A checked is a program, and the packages that it was made of.
type checked struct {
	key  string
	deps []cache.Dep
	prog *load.Program
}

// check is [load.CheckWith] of one kernel. It returns the same program as before if its source has not changed.
func check(src load.Sources, ref load.Ref, also load.Also) (*load.Program, error) {
	key := fmt.Sprintf("%+v %+v %s", ref, also, qdOf(src))
	if p := find(src, key); p != nil {
		return p, nil
	}
	p, err := load.CheckWith(src, also, ref)
	if err != nil {
		return p, err
	}
	c := &checked{key: key, deps: digestsOf(p), prog: p}
	programs.Lock()
	defer programs.Unlock()
	if i := kept(key); i >= 0 {
		if other := programs.list[i]; slices.Equal(other.deps, c.deps) { // another goroutine was faster
			return other.prog, nil
		}
		programs.list = slices.Delete(programs.list, i, i+1)
	}
	programs.list = append(programs.list, c)
	if len(programs.list) > maxPrograms {
		programs.list = programs.list[1:]
	}
	return p, nil
}

// kept is where the program of a key is in the list, -1 if there is none. It is called with the list locked.
func kept(key string) int {
	return slices.IndexFunc(programs.list, func(c *checked) bool { return c.key == key })
}

// depsOf are the packages that a program was made of. Of one that is kept they are known.
func depsOf(p *load.Program) []cache.Dep {
	programs.Lock()
	for _, c := range programs.list {
		if c.prog == p {
			programs.Unlock()
			return slices.Clone(c.deps)
		}
	}
	programs.Unlock()
	return digestsOf(p)
}

func digestsOf(p *load.Program) (deps []cache.Dep) {
	for _, p := range p.Packages {
		deps = append(deps, cache.Dep{Name: p.Path, Sum: digest(p)})
	}
	return deps
}

// find finds a program whose source has not changed.
func find(src load.Sources, key string) *load.Program {
	programs.Lock()
	var found *checked
	if i := kept(key); i >= 0 {
		found = programs.list[i]
		programs.list = append(slices.Delete(programs.list, i, i+1), found)
	}
	programs.Unlock()
	if sums := (digests{src: src}); found != nil && sums.hold(found.deps) {
		return found.prog
	}
	return nil
}

// qdOf identifies the source of package qd, which is not among a program's packages.
func qdOf(src load.Sources) string {
	p, err := src.Package(load.QDPath)
	if err != nil || p == nil || len(p.Files) == 0 {
		return "none"
	}
	return fmt.Sprintf("%d %p", len(p.Files), p.Files[0].Src)
}
