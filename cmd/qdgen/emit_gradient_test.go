package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// emit --gradient prints the backward kernel in each form.
func TestEmitGradient(t *testing.T) {
	saxpy := func(args ...string) result {
		return qdgen(t, ".", nil, append([]string{"emit", "../../examples/saxpy", "--gradient"}, args...)...)
	}
	saxpy().want(t, 0, []string{"// kernel saxpy.gradient of package main in CUDA C++", "// main.go:20, gradient: y[i] += a * x[i]\n",
		"xGrad[i] += yGrad_elem * a;\n"}, nil)
	saxpy("--target", "cpp").want(t, 0, []string{`extern "C" void saxpy_gradient(const saxpy_gradient_args* args`, "xGrad[i] += yGrad_elem * a;\n"}, nil)
	saxpy("--target", "ssa").want(t, 0, []string{"kernel saxpy.gradient(t.v0:thread, a.v1:float32, x.v2:[]float32, y.v3:[]float32, xGrad.v4:[]float32, yGrad.v5:[]float32)"}, nil)
	saxpy("--target", "ssa", "--after", "optimize").want(t, 0, []string{"kernel saxpy("}, nil)
	saxpy("--target", "cpp", "--after", "split").want(t, 0, []string{"kernel saxpy.gradient("}, nil)
	saxpy("--target", "ll").want(t, 0, []string{"@saxpy_gradient("}, nil)
	dir := t.TempDir()
	saxpy("-o", dir).want(t, 0, nil, nil)
	if _, err := os.Stat(filepath.Join(dir, "github.com/qdgen/qd/examples/saxpy/saxpy.gradient.cu")); err != nil {
		t.Error(err)
	}
	qdgen(t, ".", nil, "explain", "../../examples/saxpy", "--strips", "8").want(t, 2, nil, []string{"--strips is for --gradient"})
	saxpy("--strips", "-1").want(t, 2, nil, []string{"--strips is for --gradient"})
	qdgen(t, ".", nil, "emit", "./testdata/gradient", "--strips", "8").want(t, 2, nil, []string{"--strips is for --gradient"})
	qdgen(t, ".", nil, "emit", "./testdata/gradient", "--gradient", "--strips", "8", "--target", "cpp").want(t, 0, []string{"again: for k := 0; k < n; k++ {"}, nil)
	saxpy("--resources").want(t, 2, nil, []string{"--resources measures kernels and --gradient and --tangent print"})
	qdgen(t, ".", nil, "emit", "../../examples/saxpy", "--after", "differentiate").want(t, 2, nil, []string{"add --gradient"})
	qdgen(t, ".", nil, "emit", "../../examples/mpm", "--kernel", "order", "--gradient").want(t, 1, nil, []string{"cannot differentiate a kernel that uses the result of an atomic operation", "help: "})
	qdgen(t, ".", nil, "emit", "../../examples/fluid", "--gradient", "--target", "cpp").want(t, 0, []string{"step_4_gradient", "launch step.4.gradient over n.v0, n.v0 (from."}, nil)
}

// docs/language.md shows the kernel of testdata/gradient, and what emit prints for it.
func TestGradientInDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/language.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n### Backward kernels\n")
	m := regexp.MustCompile("(?s)```go\n(.*?)```.*?```cpp\n(.*?)```").FindStringSubmatch(section)
	if m == nil {
		t.Fatal("language.md has no kernel and no C++ in its section on gradients")
	}
	kernel, err := os.ReadFile("testdata/gradient/kernel.go")
	if err != nil || !strings.Contains(string(kernel), m[1]) {
		t.Errorf("%v: the kernel is not that of testdata/gradient:\n%s", err, m[1])
	}
	r := qdgen(t, ".", nil, "emit", "./testdata/gradient", "--gradient", "--target", "cpp")
	r.want(t, 0, []string{"powers.count", m[2]}, nil)
	_, section, _ = strings.Cut(string(page), "\n### Tangent kernels\n")
	tangent := regexp.MustCompile("(?s)```cpp\n(.*?)```").FindStringSubmatch(section)
	if tangent == nil {
		t.Fatal("language.md has no C++ in its section on tangents")
	}
	qdgen(t, ".", nil, "emit", "./testdata/gradient", "--tangent", "--target", "cpp").want(t, 0, []string{tangent[1]}, nil)
}

// emit --tangent prints the tangent kernel in each form, and with --gradient that of the backward kernel.
func TestEmitTangent(t *testing.T) {
	powers := func(args ...string) result {
		return qdgen(t, ".", nil, append([]string{"emit", "./testdata/gradient", "--tangent"}, args...)...)
	}
	powers().want(t, 0, []string{"// kernel powers.tangent of package", "in CUDA C++", "yTangent[i] = pTangent;\n"}, nil)
	powers("--target", "ssa").want(t, 0, []string{"kernel powers.tangent(t.v0:thread, n.v1:int64, x.v2:[]float32, y.v3:[]float32, xTangent.v4:[]float32, yTangent.v5:[]float32)"}, nil)
	powers("--target", "cpp", "--after", "split").want(t, 0, []string{"kernel powers.tangent("}, nil)
	powers("--target", "ssa", "--gradient").want(t, 0, []string{"kernel powers.gradient.tangent(", "kernel powers.count(", "keptFloat32Tangent"}, nil)
	qdgen(t, ".", nil, "emit", "../../examples/fluid", "--tangent", "--target", "cpp").want(t, 0, []string{"step_4_tangent", "launch step.4.tangent over n.v0, n.v0 (from."}, nil)
}
