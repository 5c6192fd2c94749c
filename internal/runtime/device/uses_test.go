package device

import (
	"path/filepath"
	"testing"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/internal/testenv"
)

// failingEnv panics when it is asked for something.
type failingEnv struct{ frontend.Environment }

// A bug in qdgen that is found while a tape looks at a kernel does not end the program.
func TestReadByResultsFails(t *testing.T) {
	k := new(kernel.Func)
	k.Ref.Pkg, k.Ref.Name = "github.com/qdgen/qd/examples/seeds/warp", "printAnswer" // which reads a package variable
	k.Ref.File = filepath.Join(testenv.Root(), "examples", "seeds", "warp", "constants.go")
	if read := ReadByResults(k, build.Options{Env: failingEnv{}}, nil); read != nil {
		t.Errorf("read is %v", read)
	}
}
