package main

import (
	_ "embed"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"unsafe"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/internal/dl"
)

//go:embed native/eigen.cpp
var eigenSource []byte

// eigenDirs are where packages of Eigen put its headers.
var eigenDirs = []string{"/usr/include/eigen3", "/usr/local/include/eigen3", "/opt/homebrew/include/eigen3"}

// eigen builds and loads the hand-written side of linalg.
func eigen() (*dl.Lib, error) {
	for _, dir := range eigenDirs {
		if _, err := os.Stat(filepath.Join(dir, "Eigen", "Dense")); err == nil {
			return buildNative("eigen.cpp", eigenSource, "-isystem", dir)
		}
	}
	return nil, missing("Eigen is not installed: apt install libeigen3-dev")
}

// linalg times batches of small matrices beside hand-written C++ with Eigen and OpenMP.
func linalg() ([]result, error) {
	lib, err := eigen()
	if err != nil {
		return nil, err
	}
	dev, err := qd.Open("cpu")
	if err != nil {
		return nil, err
	}
	var results []result
	for _, log := range batches {
		for _, of := range []func(*dl.Lib, *qd.Device, int) ([]result, error){linalgOf[float32, f32.Vec3, f32.Vec4, f32.Mat3, f32.Mat4], linalgOf[float64, f64.Vec3, f64.Vec4, f64.Mat3, f64.Mat4]} {
			more, err := of(lib, dev, log)
			results = append(results, more...)
			if err != nil {
				return results, err
			}
		}
	}
	return results, nil
}

// batches are the binary logarithms of how many matrices a batch has: they fit a core's own
// cache, they just do not, and they come from memory.
var batches = []int{12, 15, 20}

// linalgOf is linalg with elements of one type, in batches of 2^log.
func linalgOf[T qd.Float, V3 qd.Vector[V3, T], V4 qd.Vector[V4, T], M3 interface {
	qd.SquareMatrix[M3, V3, T]
	withSVD[M3, V3]
}, M4 qd.SquareMatrix[M4, V4, T]](lib *dl.Lib, dev *qd.Device, log int) ([]result, error) {
	n := 1 << log
	rnd := uint64(1)
	random := func() T {
		rnd = rnd*6364136223846793005 + 1442695040888963407
		return T(int64(rnd)>>11) / (1 << 52)
	}
	m3, m4 := make([]M3, n), make([]M4, n)
	v3, v4 := make([]V3, n), make([]V4, n)
	for i := range n {
		fill(&m3[i], random)
		fill(&m4[i], random)
		fill(&v3[i], random)
		fill(&v4[i], random)
		for j := range 4 {
			m4[i][j][j] += 3 // so that it has an inverse
		}
	}
	u, v, s := make([]M3, n), make([]M3, n), make([]V3, n)
	out3, out4, outM := make([]V3, n), make([]V4, n), make([]M4, n)
	var results []result
	for _, c := range []struct {
		name, symbol string
		bind         func() (*qd.Prepared, error)
		args         []any
		results      int // the last args, which are compared
	}{
		{"3x3 matrix by vector", "matvec3", func() (*qd.Prepared, error) {
			return dev.Bind(matvec[M3, V3, T], qd.Dim(n), m3, v3, out3)
		}, []any{m3, v3, out3}, 1},
		{"4x4 matrix by vector", "matvec4", func() (*qd.Prepared, error) {
			return dev.Bind(matvec[M4, V4, T], qd.Dim(n), m4, v4, out4)
		}, []any{m4, v4, out4}, 1},
		{"4x4 inverse", "inverse4", func() (*qd.Prepared, error) {
			return dev.Bind(inverse[M4, V4, T], qd.Dim(n), m4, outM)
		}, []any{m4, outM}, 1},
		{"3x3 SVD", "svd3", func() (*qd.Prepared, error) {
			return dev.Bind(svd[M3, V3], qd.Dim(n), m3, u, v, s)
		}, []any{m3, u, v, s}, 1},
	} {
		if log > 15 && c.symbol == "svd3" {
			continue // it computes more than it reads: a longer batch takes long, and shows nothing else
		}
		launch, err := c.bind()
		if err != nil {
			return results, err
		}
		typ := reflect.TypeFor[T]().String()
		r, err := compareLinalg[T](fmt.Sprintf("%s, %s, 2^%d", c.name, typ, log), lib, c.symbol+"_"+typ, launch, n, c.args, c.results)
		if err != nil {
			return results, err
		}
		results = append(results, r)
	}
	return results, nil
}

// fill gives all numbers of a matrix or vector a value.
func fill[T qd.Float, M any](m *M, value func() T) {
	elements := unsafe.Slice((*T)(unsafe.Pointer(m)), unsafe.Sizeof(*m)/unsafe.Sizeof(T(0)))
	for i := range elements {
		elements[i] = value()
	}
}

// compareLinalg times a prepared launch beside a call of a hand-written function on the same
// memory, after making sure that both give the same up to rounding.
func compareLinalg[T qd.Float](name string, lib *dl.Lib, fn string, launch *qd.Prepared, n int, args []any, results int) (result, error) {
	addr, err := lib.Symbol(fn)
	if err != nil {
		return result{}, err
	}
	native := []uintptr{uintptr(n)}
	for _, a := range args {
		native = append(native, reflect.ValueOf(a).Pointer())
	}
	if err := launch.Launch(); err != nil {
		return result{}, err
	}
	var ours [][]T
	for _, a := range args[len(args)-results:] {
		ours = append(ours, append([]T(nil), numbers[T](a)...))
	}
	dl.Call(addr, native...)
	tolerance := 1e-3
	if unsafe.Sizeof(T(0)) == 8 {
		tolerance = 1e-10
	}
	for k, a := range args[len(args)-results:] {
		for i, theirs := range numbers[T](a) {
			if x := ours[k][i]; !(math.Abs(float64(x-theirs)) <= tolerance*max(1, math.Abs(float64(theirs)))) {
				return result{}, fmt.Errorf("%s: number %d of result %d is %v here and %v there", name, i, k, x, theirs)
			}
		}
	}
	da, db, err := sideBySide(rested(launch.Launch), rested(func() error { dl.Call(addr, native...); return nil }))
	return result{name: name, ours: da, theirs: db, bound: bound{ratio: 1}}, err
}

// numbers are those of a slice of matrices or vectors.
func numbers[T qd.Float](slice any) []T {
	v := reflect.ValueOf(slice)
	return unsafe.Slice((*T)(v.UnsafePointer()), v.Len()*int(v.Type().Elem().Size()/unsafe.Sizeof(T(0))))
}
