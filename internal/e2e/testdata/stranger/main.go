// Stranger is a program as a user of qdgen writes one, in a module of their own. It
// launches the kernels that its arguments name and prints a line for each: the
// kernel, the device, and a sum of the bits of the result. An error is printed with
// the documented type that errors.As finds in it, and ends the program with status 1.
package main

import (
	"embed"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"sync"

	"example.com/stranger/field"
	"example.com/stranger/numeric"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/qdreg"
)

//go:embed [^._]*.go
var source embed.FS

func main() {
	device := flag.String("device", "", "device to run on")
	embedded := flag.Bool("embedded", false, "register the embedded source")
	at := flag.Int("goroutines", 1, "goroutines that launch all of the kernels")
	flag.Parse()

	if *embedded {
		check(register())
	}
	dev, err := qd.Open(*device)
	check(err)

	var wg sync.WaitGroup
	lines := make([][]string, *at)
	for g := range *at {
		wg.Go(func() {
			for i := range flag.Args() {
				// Each goroutine begins with another one.
				name := flag.Arg((i + g) % flag.NArg())
				lines[g] = append(lines[g], name+" "+launch(dev, name))
			}
		})
	}
	wg.Wait()
	for _, l := range lines {
		for _, line := range l {
			fmt.Println(line)
		}
	}
}

// launch runs a kernel and returns the device with a sum of the result.
func launch(dev *qd.Device, name string) string {
	const n = 10_000
	x, y := make([]float32, n), make([]float32, n)
	x64, y64 := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = float32(i)/7, float32(n-i)/3
		x64[i] = float64(i) / 11
	}
	sum := fnv.New64a()
	switch name {
	case "saxpy":
		check(dev.Launch(saxpy, qd.Dim(n), 1.5, x, y))
		fmt.Fprintf(sum, "%x", y)
	case "wave":
		check(dev.Launch(wave, qd.Dim(n), x64, y64))
		fmt.Fprintf(sum, "%x", y64)
	case "step":
		a, b := qd.From(dev, x), qd.Zeros[float32](dev, n)
		for range 5 {
			check(dev.Launch(field.Step, qd.Dim(n), 0.25, a, b))
			check(dev.Launch(field.Step, qd.Dim(n), 0.25, b, a))
		}
		fmt.Fprintf(sum, "%x", a.Slice())
	case "count":
		counts := make([]int64, 7)
		check(dev.Launch(count, qd.Dim(n), counts))
		fmt.Fprint(sum, counts)
	case "speak":
		check(dev.Launch(speak, qd.Dim(3), []int32{10, 200, 3000}))
		check(dev.Wait())
	case "literal":
		check(dev.Launch(func(t qd.Thread, y []float32) { y[t.ID()] = x[t.ID()] }, qd.Dim(n), y))
	case "refused":
		check(dev.Launch(refused, qd.Dim(1), []int32{1}, map[string]int32{}))
	default:
		check(fmt.Errorf("no kernel %q", name))
	}
	return fmt.Sprintf("%v %016x", dev, sum.Sum64())
}

// register hands the embedded source of all packages to qdgen.
func register() error {
	for path, files := range map[string]embed.FS{
		"main":                         source,
		"example.com/stranger/field":   field.Source,
		"example.com/stranger/numeric": numeric.Source,
	} {
		if err := qdreg.Source(path, files); err != nil {
			return err
		}
	}
	return nil
}

// check ends the program on an error.
func check(err error) {
	if err == nil {
		return
	}
	fmt.Fprintf(os.Stderr, "%s\n%v\n", documented(err), err)
	os.Exit(1)
}

// documented names the type by which the documentation has users recognize an error.
func documented(err error) string {
	var (
		diagnostics *qd.Diagnostics
		compile     *qd.CompileError
		source      *qd.SourceError
		missing     *qd.MissingError
		device      *qd.DeviceError
		launch      *qd.LaunchError
	)
	switch {
	case errors.As(err, &diagnostics):
		return "*qd.Diagnostics"
	case errors.As(err, &compile):
		return "*qd.CompileError"
	case errors.As(err, &source):
		return "*qd.SourceError"
	case errors.As(err, &missing):
		return "*qd.MissingError"
	case errors.As(err, &device):
		return "*qd.DeviceError"
	case errors.As(err, &launch):
		return "*qd.LaunchError"
	}
	return fmt.Sprintf("%T", err)
}
