package registered

import (
	"errors"
	"os"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/e2e/registered/literals"
	"github.com/qdgen/qd/internal/testenv"
)

func TestMain(m *testing.M) {
	testenv.Setup()
	os.Exit(m.Run())
}

//qd:kernel
func ofTest(t qd.Thread, x []int) { x[t.ID()] = Twice(x[t.ID()]) + 1 }

func thrice(x int) int { return 3 * x }

type counter struct{ N int }

func (c counter) Next() counter { return counter{c.N + 1} }

type seven struct{}

func (seven) By() int { return 7 }

// TestUnregisteredFiles launches what stands in a test file of a package whose source is
// registered.
func TestUnregisteredFiles(t *testing.T) {
	for _, name := range []string{"go", "cpu"} {
		dev, err := qd.Open(name)
		var missing *qd.MissingError
		if errors.As(err, &missing) {
			testenv.Missing(t, err)
		}
		if err != nil {
			t.Fatal(err)
		}
		x := []int{1}
		c := []counter{{5}}
		for i, launch := range []func() error{
			func() error { return dev.Launch(ofTest, qd.Dim(1), x) },              // 3
			func() error { return dev.Launch(Apply, qd.Dim(1), qd.C(Twice), x) },  // 6
			func() error { return dev.Launch(Apply, qd.Dim(1), qd.C(thrice), x) }, // 18
			func() error { // 55
				return dev.Launch(Apply, qd.Dim(1), qd.C(func(x int) int {
					return thrice(x) + 1
				}), x)
			},
			func() error { return dev.Launch(func(t qd.Thread, x []int) { x[0] = thrice(x[0]) }, qd.Dim(1), x) }, // 165
			func() error { return dev.Launch(Apply, qd.Dim(1), qd.C(literals.Double()), x) },                     // 330
			func() error { return dev.Launch(Step[counter], qd.Dim(1), c) },                                      // 6
			func() error { return dev.Launch(Scaled[seven]{}, qd.Dim(1), x) },                                    // 2310
		} {
			if err := launch(); err != nil {
				t.Errorf("%s, launch %d: %v", name, i, err)
			}
		}
		if x[0] != 2310 || c[0].N != 6 {
			t.Errorf("%s: %v %v", name, x, c)
		}
	}
}
