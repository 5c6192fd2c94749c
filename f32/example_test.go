package f32_test

import (
	"fmt"
	"math"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/i32"
)

func ExampleVec3() {
	v := f32.Vec3{1, 2, 3}
	w := f32.Vec3{0, 1, 0}
	v[2] = 5
	fmt.Println(v.Add(w), v.Scale(2), v.Dot(w), v.Cross(w))
	fmt.Println(v.ZYX(), v.XXY(), v == f32.Vec3{1, 2, 5})
	// Output:
	// [1 3 5] [2 4 10] 2 [-5 0 1]
	// [5 2 1] [1 1 2] true
}

func ExampleVec3_Where() {
	v := i32.Vec3{-1, 20, 3}
	inside := v.GreaterEq(i32.Vec3{}).And(v.Less(i32.Vec3Splat(10)))
	fmt.Println(inside, inside.Any(), inside.Count())
	fmt.Println(v.Where(inside, i32.Vec3{7, 7, 7}))
	// Output:
	// [false false true] true 1
	// [7 7 3]
}

func ExampleVec3From() {
	v := f32.Vec3{1.75, -2.5, 300}
	fmt.Println(i32.Vec3From(v), f64.Vec3From(v))
	// Output:
	// [1 -2 300] [1.75 -2.5 300]
}

// A kernel computes with vectors in registers; slices of them are in memory as in Go.
func ExampleVec3_Reflect() {
	mirror := func(t qd.Thread, normal f32.Vec3, rays []f32.Vec3) {
		i := t.ID()
		rays[i] = rays[i].Reflect(normal)
	}
	rays := []f32.Vec3{{1, -1, 0}, {0, -2, 3}}
	if err := qd.Launch(mirror, qd.Dim(len(rays)), f32.Vec3{0, 1, 0}, rays); err != nil {
		fmt.Println(err)
	}
	fmt.Println(rays)
	// Output:
	// [[1 1 0] [0 2 3]]
}

func ExampleMat3() {
	m := f64.Mat3{
		{0, -1, 0},
		{1, 0, 0},
		{0, 0, 2},
	}
	fmt.Println(m.MulVec(f64.Vec3{1, 2, 3}), m[1], m.Col(2))
	fmt.Println(m.Mul(m.Transpose()), m.Det(), m.Trace())
	// Output:
	// [-2 1 6] [1 0 0] [0 0 2]
	// [[1 0 0] [0 1 0] [0 0 4]] 2 2
}

// The singular values descend and are never negative; u and v are orthogonal.
func ExampleMat3_SVD() {
	m := f64.Mat3{{0, 3, 0}, {0, 0, 1}, {2, 0, 0}}
	u, s, v := m.SVD()
	fmt.Printf("%.3f\n", s)
	back := u.Mul(f64.Mat3Diag(s)).Mul(v.Transpose())
	fmt.Println(back.Sub(m).Norm() < 1e-14, u.Mul(u.Transpose()).Sub(f64.Mat3Identity()).Norm() < 1e-14)
	// Output:
	// [3.000 2.000 1.000]
	// true true
}

func ExampleMat3_Solve() {
	m := f64.Mat3{{0, 2, 1}, {1, -2, -3}, {-1, 1, 2}}
	x, ok := m.Solve(f64.Vec3{-8, 0, 3})
	fmt.Printf("%.3f %v\n", x, ok)
	_, ok = f64.Mat3{{1, 2, 3}, {2, 4, 6}, {0, 0, 1}}.Solve(f64.Vec3{1, 1, 1})
	fmt.Println(ok)
	// Output:
	// [-4.000 -5.000 2.000] true
	// false
}

func ExampleMat2_SymEig() {
	w, v := f64.Mat2{{2, 1}, {1, 2}}.SymEig()
	first := v.Col(0)
	fmt.Printf("%.3f %.3f\n", w, math.Abs(first[0]+first[1]))
	// Output:
	// [1.000 3.000] 0.000
}

func ExampleQuat() {
	turn := f64.QuatFromAxisAngle(f64.Vec3{0, 0, 1}, math.Pi/2)
	half := f64.QuatIdentity().Slerp(turn, 0.5)
	fmt.Printf("%.3f\n", turn.Rotate(f64.Vec3{1, 0, 0}))
	fmt.Printf("%.3f\n", half.Rotate(f64.Vec3{1, 0, 0}))
	// Output:
	// [0.000 1.000 0.000]
	// [0.707 0.707 0.000]
}

func ExampleTransform() {
	hand := f64.Transform{P: f64.Vec3{1, 0, 0}, Q: f64.QuatFromAxisAngle(f64.Vec3{0, 0, 1}, math.Pi)}
	p := hand.Point(f64.Vec3{0.5, 0, 2})
	fmt.Printf("%.3f\n", p)
	fmt.Printf("%.3f\n", hand.Inverse().Point(p))
	// Output:
	// [0.500 0.000 2.000]
	// [0.500 0.000 2.000]
}
