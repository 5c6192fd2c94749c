package gradient_test

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
)

// A peerCase is what a peer's test of gradients checks.
type peerCase struct {
	suite, origin, body, decls string
	grid                       bool
}

func peerCases(t *testing.T) (list []peerCase) {
	t.Helper()
	text, err := os.ReadFile("testdata/peers.txt")
	if err != nil {
		t.Fatal(err)
	}
	suite, decls := "", false
	for line := range strings.Lines(string(text)) {
		last := len(list) - 1
		switch {
		case strings.HasPrefix(line, "== "):
			suite = strings.TrimSpace(line[3:])
		case strings.HasPrefix(line, "-- "):
			origin, checks, ok := strings.Cut(line[3:], ": ")
			if strings.HasSuffix(origin, ".py") || !strings.HasPrefix(origin, "test") {
				origin, _, _ = strings.Cut(checks, ": ")
			}
			if !ok {
				t.Fatalf("%q does not say what it checks", line)
			}
			list, decls = append(list, peerCase{suite: suite, origin: origin}), false
		case line == "decls:\n":
			decls = true
		case line == "grid:\n":
			list[last].grid = true
		case last < 0:
		case decls:
			list[last].decls += line
		default:
			list[last].body += line
		}
	}
	return list
}

// What peers' tests check of gradients is right here.
func TestPeers(t *testing.T) {
	lib := library(t)
	cases := peerCases(t)
	if t.Logf("%d cases", len(cases)); len(cases) < 120 {
		t.Errorf("only %d cases", len(cases))
	}
	for _, c := range cases {
		t.Run(c.suite+": "+c.origin, func(t *testing.T) {
			const params = ", n int, at []int, x, y, z []float64) {\n"
			first := "t qd.Thread" + params + "\ti := t.ID()\n\t_ = i\n"
			if c.grid {
				first = "g qd.Grid" + params
			}
			text := "package k\n\nimport (\n\t\"math\"\n\n\t\"github.com/qdgen/qd\"\n\t\"github.com/qdgen/qd/f64\"\n)\n\nvar _ = math.Pi\nvar _ f64.Vec2\n\n" + c.decls +
				"\n//qd:kernel\nfunc k(" + first + c.body + "}\n"
			if strings.Contains(c.decls, "func twin(") {
				got, want := gradientsOf(t, text, "k"), gradientsOf(t, text, "twin")
				for i := range want {
					if math.Abs(got[i]-want[i]) > 1e-12*(1+math.Abs(want[i])) {
						t.Errorf("gradient %d is %v, that of the twin %v", i, got[i], want[i])
					}
				}
				return
			}
			m := lower(t, lib, text, "k")
			b, err := gradient.Of(kernelOf(m), gradient.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := ssa.Verify(moduleOf(m, b)); err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(2) {
				tr := &trial{kernel: kernelOf(m), back: b, threads: 4, seed: seed}
				if err := tr.compare(tr.weights(), 1e-6); err != nil {
					t.Errorf("seed %d: %v\n%s\n%v", seed, err, c.body, b.Kernel)
				}
			}
		})
	}
}
