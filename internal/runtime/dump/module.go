package dump

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/internal/build"
)

// A Toolchain has made a module.
type Toolchain interface {
	Target() string
	// Assembly compiles a source of the target to assembly, and gives the extension of a file of it.
	Assembly(ctx context.Context, source string) (text, ext string, err error)
}

// sourceExt are the extensions of files with the source of a target.
var sourceExt = map[string]string{"cpp": ".cpp", "cuda": ".cu"}

// Module writes a module that is loaded for a specialization of a kernel of a package: its source, its assembly and
// the artifact. It does nothing if the environment does not ask for it.
func Module(c *cache.Cache, tc Toolchain, m *build.Module, pkg string, opts build.Options) {
	d := named()
	if d == nil {
		return
	}
	base := fileName(m.Key.Short(), append([]string{qualified(pkg, m.Kernel)}, values(opts)...)...)
	if m.Name != m.Kernel {
		base = fileName(m.Key.Short(), m.Name) // it has several kernels
	}
	source, err := c.Source(m.Key)
	if err != nil {
		slog.Warn(fmt.Sprintf("qd: %s: the source of module %s %s is not in the cache: %v", Env, m.Name, m.Key.Short(), err))
		return
	}
	d.write(base+sourceExt[tc.Target()], []byte(source))
	if artifact, err := os.ReadFile(m.Path); err == nil {
		d.write(base+m.Ext(), artifact)
	}
	if d.has(base+".s") || d.has(base+".ptx") {
		return // by an earlier run, or since the artifact is PTX
	}
	text, ext, err := tc.Assembly(context.Background(), source)
	if err != nil {
		slog.Warn(fmt.Sprintf("qd: %s: module %s %s has no assembly: %v", Env, m.Name, m.Key.Short(), err))
		return
	}
	d.write(base+ext, []byte(text))
}
