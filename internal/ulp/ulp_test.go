package ulp

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testenv"
)

func TestMain(m *testing.M) {
	testenv.Setup()
	dir, err := os.MkdirTemp("", "qdgen-ulp-")
	if err == nil {
		err = testcache.Dir(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Setenv("QD_CACHE", dir)
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// open is device cpu.
func open(t *testing.T) *qd.Device {
	t.Helper()
	dev, err := qd.Open("cpu")
	if missing := (*qd.MissingError)(nil); errors.As(err, &missing) {
		testenv.Missing(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dev
}

// documented are the errors that docs/mathematics.md states, in units of the last place, by the function and the type.
func documented(t *testing.T) map[string][2]float64 {
	t.Helper()
	page, err := os.ReadFile("../../docs/mathematics.md")
	if err != nil {
		t.Fatal(err)
	}
	limits := make(map[string][2]float64)
	for _, row := range regexp.MustCompile(`(?m)^\| (\w+) \| ([\d.]+) \| ([\d.]+) \|`).FindAllStringSubmatch(string(page), -1) {
		single, _ := strconv.ParseFloat(row[2], 64)
		double, _ := strconv.ParseFloat(row[3], 64)
		limits[row[1]] = [2]float64{single, double}
	}
	for _, f := range functions {
		if l := limits[f.name]; l[0] < 0.5 || l[1] < 0.5 || l[0] > 1 || l[1] > 1 && !f.rare {
			t.Errorf("docs/mathematics.md states errors of %v for %s", l, f.name)
		}
	}
	return limits
}

// off is how far a result is from the exact value, in units of its last place.
func off(got float64, exact *big.Float) float64 {
	want, _ := exact.Float64()
	if math.IsInf(want, 0) && got == want {
		return 0
	}
	if math.IsNaN(got) || math.IsInf(got, 0) {
		return math.Inf(1)
	}
	unit := math.Ldexp(1, max(exact.MantExp(nil)-53, -1074))
	d, _ := quo(sub(num(got), exact), num(unit)).Float64()
	return math.Abs(d)
}

// worst is the largest error among results.
type worst struct {
	off, x, y, got float64
	count, asInGo  int
}

func (w *worst) String() string {
	return fmt.Sprintf("%.4f at %v, %v, where it is %v; Go's result in %d of %d", w.off, w.x, w.y, w.got, w.asInGo, w.count)
}

// measure64 is the largest error of a function at random arguments.
func measure64(t *testing.T, dev *qd.Device, k, n int, seed uint64) worst {
	t.Helper()
	f, r := functions[k], rand.New(rand.NewPCG(seed, uint64(k)))
	x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = f.draw(r)
	}
	if err := dev.Launch(Map64, qd.Dim(n), k, x, y, z); err != nil {
		t.Fatal(err)
	}
	w := worst{count: n}
	for i := range x {
		if goes := f.goes(x[i], y[i]); goes == z[i] {
			w.asInGo++
		}
		var e float64
		if plain, ok := f.simply(x[i], y[i]); ok {
			e = off(z[i], num(plain))
		} else {
			e = off(z[i], f.exact(num(x[i]), num(y[i])))
		}
		if !(e <= w.off) {
			w.off, w.x, w.y, w.got = e, x[i], y[i], z[i]
		}
	}
	return w
}

func (f *function) simply(x, y float64) (float64, bool) {
	if f.plain == nil {
		return 0, false
	}
	return f.plain(x, y)
}

// Functions of float64 are as near the exact values as the documentation says.
func TestFloat64(t *testing.T) {
	dev, limits := open(t), documented(t)
	n := 200
	if s := os.Getenv("QD_ULP_NUMBERS"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	for k, f := range functions {
		w := measure64(t, dev, k, n, 17)
		t.Logf("%-5s %v", f.name, &w)
		if !(w.off <= limits[f.name][1]) {
			t.Errorf("%s: %v, documented is %v", f.name, &w, limits[f.name][1])
		}
	}
}

// Functions of float32 are as near those of float64 as the documentation says; TestFloat64 shows how near these are to the
// exact values. QD_ALL_FLOATS=1 looks at all 2^32 numbers, for functions of one number.
func TestFloat32(t *testing.T) {
	dev, limits := open(t), documented(t)
	errs := make([]float32, 1<<24)
	for k, f := range functions {
		others, n, step := []float32{0}, 1<<18, uint32(16381)
		if f.name == "Atan2" || f.name == "Hypot" || f.name == "Pow" {
			others = []float32{1, -3, 0.75, 1e-3, 17.5, 1e30}
		} else if os.Getenv("QD_ALL_FLOATS") != "" {
			n, step = 1<<24, 1
		}
		errs := errs[:n]
		w := worst{}
		for _, other := range others {
			for first := uint64(0); first < 1<<32; first += uint64(n) * uint64(step) {
				if err := dev.Launch(Off32, qd.Dim(n), k, uint32(first), step, other, errs); err != nil {
					t.Fatal(err)
				}
				for i, e := range errs {
					if w.count++; !(float64(e) <= w.off) {
						w.off, w.x, w.y = float64(e), float64(math.Float32frombits(uint32(first)+uint32(i)*step)), float64(other)
					}
					if e <= 0.5 {
						w.asInGo++
					}
				}
			}
		}
		t.Logf("%-5s %.6f at %v, %v; the nearest number for all but %d of %d", f.name, w.off, w.x, w.y, w.count-w.asInGo, w.count)
		if !(w.off <= limits[f.name][0]+1e-6) {
			t.Errorf("%s: %v at %v, %v, documented is %v", f.name, w.off, w.x, w.y, limits[f.name][0])
		}
	}
}

// A thread's result is the same in a lane and alone.
func TestAlone(t *testing.T) {
	dev := open(t)
	const n = 64
	r := rand.New(rand.NewPCG(5, 5))
	x, y, z, alone := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	a, b, c, alone32 := make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for k, f := range functions {
		for range 5 {
			for i := range x {
				x[i], y[i] = f.draw(r)
				a[i], b[i] = float32(x[i]), float32(y[i])
			}
			check(dev.Launch(Map64, qd.Dim(n), k, x, y, z))
			check(dev.Launch(Map32, qd.Dim(n), k, a, b, c))
			for i := range x {
				check(dev.Launch(Map64, qd.Dim(1), k, x[i:i+1], y[i:i+1], alone[i:i+1]))
				check(dev.Launch(Map32, qd.Dim(1), k, a[i:i+1], b[i:i+1], alone32[i:i+1]))
				if math.Float64bits(z[i]) != math.Float64bits(alone[i]) && z[i] == z[i] {
					t.Errorf("%s(%v, %v): %v in a lane, %v alone", f.name, x[i], y[i], z[i], alone[i])
				}
				if math.Float32bits(c[i]) != math.Float32bits(alone32[i]) && c[i] == c[i] {
					t.Errorf("%s(%v, %v): %v in a lane, %v alone, of float32", f.name, a[i], b[i], c[i], alone32[i])
				}
			}
		}
	}
}

// Special values are Go's: infinities, NaNs, zeros with their signs, and what Go documents as exact.
func TestSpecial(t *testing.T) {
	dev := open(t)
	special := []float64{0, math.Copysign(0, -1), 1, -1, 2, -2, 3, -3, 0.5, -0.5, math.Inf(1), math.Inf(-1), math.NaN(), 1e300, -1e300, 0x1p-1074, -0x1p-1074, 1e9 + 0.5, -1e9}
	var x, y []float64
	for _, a := range special {
		for _, b := range special {
			x, y = append(x, a), append(y, b)
		}
	}
	z := make([]float64, len(x))
	for k, f := range functions {
		if err := dev.Launch(Map64, qd.Dim(len(x)), k, x, y, z); err != nil {
			t.Fatal(err)
		}
		for i := range x {
			want := f.goes(x[i], y[i])
			isSpecial := want == 0 || math.IsInf(want, 0) || math.IsNaN(want)
			switch {
			case f.name == "Atan2" && math.Abs(x[i]) < 1e-300 && x[i] != 0, f.name == "Log" && math.Abs(x[i]) < 1e-300, f.name == "Log10" && math.Abs(x[i]) < 1e-300, f.name == "Pow":
				if isSpecial = isSpecial && x[i] != 0x1p-1074 && x[i] != -0x1p-1074; !isSpecial {
					continue // wrong in Go on amd64, see wrongInGo of package emit
				}
			}
			if isSpecial && math.Float64bits(want) != math.Float64bits(z[i]) && !(want != want && z[i] != z[i]) {
				t.Errorf("%s(%v, %v) is %v, in Go %v", f.name, x[i], y[i], z[i], want)
			}
			if e := math.Abs(z[i] - want); !isSpecial && !(e <= 4e-16*math.Abs(want)+0x1p-1074) {
				t.Errorf("%s(%v, %v) is %v, in Go %v", f.name, x[i], y[i], z[i], want)
			}
		}
	}
}
