package randprog

import (
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/testenv"
)

var (
	programs = flag.Int("programs", 200, "random programs to try")
	seed     = flag.Uint64("seed", 1, "seed of the first program")
	perBatch = flag.Int("batch", 100, "programs in one batch")
	shrink   = flag.Bool("shrink", false, "")
	features = flag.Uint("features", 0, "")
)

func TestPrograms(t *testing.T) {
	testenv.Setup()
	c, err := clang.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	r := &Runner{Root: testenv.Root(), Dir: t.TempDir(), Compiler: c, Level: "-O1"}
	start := time.Now()
	tried := 0
	for tried < *programs {
		var batch []*Program
		for range min(*perBatch, *programs-tried) {
			s := *seed + uint64(tried)
			batch = append(batch, Generate(s, Features(*features), fmt.Sprint("_", s)))
			tried++
		}
		found, err := r.Run(batch)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if *shrink {
				f, err = r.Shrink(f)
				if err != nil {
					t.Error(err)
				}
			}
			t.Errorf("seed %d: %s: %s\n", f.Program.Seed, f.Kind, f.Detail)
			os.WriteFile(fmt.Sprintf("/tmp/rp/%d.go", f.Program.Seed), f.Program.file("main"), 0o666)
		}
	}
	t.Logf("%d programs in %v", tried, time.Since(start))
	t.Log(r.Stages)
}
