package randprog

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testmodule"
)

var gradients = flag.Int("gradients", 0, "random programs of tiles whose gradients to compare (default 2: compiling each takes long)")

// gradientMain compares the gradients of kernels on devices. A gradient may have been added up in any order.
const gradientMain = `package main

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"github.com/qdgen/qd"
)

func run(dev *qd.Device, kernel any, seed uint64) ([]float64, error) {
	r := rand.New(rand.NewPCG(seed, 1))
	n := blocks * side * side
	x, list := make([]int32, n), make([][]float64, 4)
	for i := range x {
		x[i] = int32(r.IntN(12))
	}
	for k := range list {
		list[k] = make([]float64, n)
		for i := range list[k] {
			list[k][i] = r.Float64()*2 - 1
		}
	}
	err := dev.Launch(qd.NewKernel(kernel).Gradient(), qd.Dim(blocks), 5, x, list[0], list[1], list[2], list[3])
	return append(list[2], list[3]...), err
}

func open(name string) *qd.Device {
	dev, err := qd.Open(name)
	if err != nil {
		log.Fatal(err)
	}
	return dev
}

func main() {
	interpreted, compiled := open("go"), open("cpu")
	for seed, kernel := range kernels {
		want, err1 := run(interpreted, kernel, seed)
		got, err2 := run(compiled, kernel, seed)
		if err1 != nil || err2 != nil {
			fmt.Printf("seed %d: go: %v; cpu: %v\n", seed, err1, err2)
			continue
		}
		largest := 0.0
		for _, w := range want {
			if !math.IsInf(w, 0) {
				largest = max(largest, math.Abs(w)) // NaN stays
			}
		}
		for i, w := range want {
			if d := math.Abs(got[i] - w); d > 1e-9*(1+largest) {
				fmt.Printf("seed %d: element %d is %v on go and %v on cpu\n", seed, i, w, got[i])
				break
			}
		}
		fmt.Println("done")
	}
}
`

// TestTileGradients compares the gradients of random programs of tiles on device cpu with those on device go.
func TestTileGradients(t *testing.T) {
	n := *gradients
	if n == 0 {
		n = 2
	}
	// The devices find the source of the kernels on disk. In a directory of this module it would seem to other tests, which
	// look at all of it, that something has changed.
	dir := testmodule.Dir(t)
	testmodule.Write(t, dir, "example.com/gradients")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var list strings.Builder
	fmt.Fprintf(&list, "package main\n\nconst blocks, side = 2, %d\n\nvar kernels = map[uint64]any{\n", TileGradientSide)
	for i := range n {
		s := *seed + uint64(i)
		name := fmt.Sprint("k_", s)
		write(name+".go", "package main\n\nimport (\n\t\"github.com/qdgen/qd\"\n\t\"github.com/qdgen/qd/tile\"\n)\n\n"+TileGradient(s, name)+"\nvar _ tile.Tile[int32]\n")
		fmt.Fprintf(&list, "\t%d: %s,\n", s, name)
	}
	write("kernels.go", list.String()+"}\n")
	write("main.go", gradientMain)
	binary, cache := filepath.Join(t.TempDir(), "gradients.exe"), t.TempDir()
	if err := testcache.Dir(cache); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "QD_CACHE="+cache)
	if err := testmodule.GoBuild("randprog-"+t.Name(), binary, dir, env, "-ldflags=-w", "."); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	text := string(out)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if done := strings.Count(text, "done\n"); done != n || strings.Contains(text, "seed ") {
		t.Errorf("%d of %d programs have been compared\n%s", done, n, strings.ReplaceAll(text, "done\n", ""))
	}
}
