package peers

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/bools"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/i32"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/int32s"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/int8s"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/uint8s"
)

// Kernels for test_matrix.py, test_matrix_slice.py, test_matrix_arg.py and
// test_matrix_return.py of Quadrants and Taichi.

var (
	globalVec = i32.Vec2{42, 42}
	globalMat = i32.Mat2{{1, 2}, {3, 4}}
)

//qd:kernel
func withGlobalVectors(t qd.Thread, m3 []i32.Vec2, out []i32.Vec2) {
	out[0], out[1] = globalVec.Add(i32.Vec2{24, 24}), globalVec.Sub(i32.Vec2{24, 24})
	out[2], out[3] = globalVec.Add(m3[0]), globalVec.Sub(m3[0])
}

//qd:kernel
func withGlobalMatrices(t qd.Thread, m3 []i32.Mat2, out []i32.Mat2) {
	other := i32.Mat2{{5, 6}, {7, 8}}
	out[0], out[1], out[2] = globalMat.Add(other), globalMat.Sub(other), globalMat.Mul(other)
	out[3], out[4], out[5] = globalMat.Add(m3[0]), globalMat.Sub(m3[0]), globalMat.Mul(m3[0])
}

//qd:kernel
func globalsInKernel(t qd.Thread, s int32, vecs []i32.Vec2, mats []i32.Mat2) {
	m := i32.Mat2{{2, 3}, {4, s}}
	vecs[0] = m.MulVec(i32.Vec2{2, 3})
	m = m.Add(i32.Mat2{{3, 4}, {5, s}})
	vecs[1] = m.MulVec(globalVec)
	vecs[2] = m.TMulVec(globalVec)
	mats[0] = m
}

//qd:kernel
func localIndices(t qd.Thread, out []i32.Vec3) {
	tmp := i32.Vec3{1, 2, 3}
	for i := range qd.Dynamic(3) {
		vec := i32.Vec3{4, 5, 6}
		for j := range qd.Dynamic(3) {
			vec[tmp[i]%3] += vec[j]
		}
		tmp[i] = vec[tmp[i]%3]
	}
	out[0] = tmp
}

//qd:kernel
func localElement(t qd.Thread, k int32, out []int32) {
	i, j := t.ID2()
	tmp := i32.Mat2{{k, k * 2}, {k * 2, k * 3}}
	out[2*i+j] = tmp[i][j]
}

//qd:kernel
func arrayIndices(t qd.Thread, a []i32.Mat2, b []int32s.Vec10) {
	i := t.ID()
	for j := range int32(2) {
		for k := range qd.Dynamic(int32(2)) {
			a[i][j][k] = j*j + k*k
		}
	}
	for j := range qd.Dynamic(4) {
		b[i][j*j] = int32(j * j)
	}
}

//qd:kernel
func arrayConstants(t qd.Thread, m []i32.Mat2) {
	i := t.ID()
	for j := range qd.Static(2) {
		for k := range qd.Static(2) {
			m[i][j][k] = 12
		}
	}
}

var threeInts = i32.Vec3{1, 2, 3}

//qd:kernel
func copies(t qd.Thread, field []i32.Vec3, out []i32.Vec3) {
	captured := threeInts
	out[0] = captured
	captured = i32.Vec3{4, 5, 6}
	out[1] = captured

	element := field[0]
	element[0], element[1], element[2] = 5, 9, 7
	out[2], out[3] = element, field[0]

	a := i32.Vec3{1, 2, 3}
	b := a
	b[0], b[1], b[2] = 5, 9, 7
	out[4], out[5] = b, a
}

//qd:kernel
func elementOfEach(t qd.Thread, a []i32.Vec3) {
	i := t.ID()
	a[i][i%3] = int32(i)
}

//qd:kernel
func madeInLoop(t qd.Thread, out []int32) {
	for c := range int32(10) {
		p := i32.Vec2{c, c * 2}
		for i := range int32(2) {
			if p[i] != c*(i+1) {
				out[0]++
			}
		}
	}
}

//qd:kernel
func elementTypes(t qd.Thread, n []i32.Vec3, x []f32.Vec3, out []f32.Vec3, outN []i32.Vec3) {
	out[0] = f32.Vec3From(n[0]).DivScalar(2)
	outN[0] = i32.Vec3From(x[0])
}

//qd:kernel
func matElementTypes(t qd.Thread, n []i32.Mat2, x []f32.Mat2, out []f32.Mat2, outN []i32.Mat2) {
	out[0] = f32.Mat2From(n[0]).DivScalar(2)
	outN[0] = i32.Mat2From(x[0])
}

//qd:kernel
func rowsByIndex(t qd.Thread, i int, m []i32.Mat2x3, out []i32.Vec3) {
	out[0], out[1] = m[0][i], m[0].Row(1-i)
}

// A withMatrix has a vector and a matrix.
type withMatrix struct {
	A i32.Vec3
	M i32.Mat2x3
	N int32
}

//qd:kernel
func matrixInStruct(t qd.Thread, i int, in, out []withMatrix) {
	s := withMatrix{A: i32.Vec3{1, 2, 3}, M: i32.Mat2x3{{1, 2, 3}, {4, 5, 6}}, N: 2}
	s.M[i][2] = s.A[i] + in[0].M[1][i]
	s.A = s.A.Add(in[0].A)
	s.M[1-i] = in[0].M[i]
	out[0] = s
}

//qd:kernel
func onesTimesThrees(t qd.Thread, out []f32.Vec3) {
	out[0] = f32.Mat3Splat(1).MulVec(f32.Vec3Splat(3))
}

// counting is the matrix of the numbers from 0 on.
func counting() (m i32.Mat3) {
	for x := range int32(3) {
		for y := range int32(3) {
			m[x][y] = x*3 + y
		}
	}
	return m
}

//qd:kernel
func readLocal(t qd.Thread, out []int32) {
	i, j := t.ID2()
	mat := counting()
	out[3*i+j] = mat[i][j]
}

//qd:kernel
func readLiteral(t qd.Thread, out []int32) { out[t.ID()] = i32.Vec3{0, 1, 2}[t.ID()] }

//qd:kernel
func localInLoops(t qd.Thread, s []int32, transposed []i32.Mat3) {
	mat := counting()
	for i := range qd.Dynamic(3) {
		for j := range qd.Dynamic(3) {
			s[3*i+j] = mat[i][j] + 1
		}
	}
	var result i32.Mat3
	for i := range qd.Dynamic(3) {
		for j := range qd.Dynamic(3) {
			result[i][j] = mat[j][i]
		}
	}
	transposed[0] = result
	sum := int32(0)
	for i := range qd.Dynamic(3) {
		for j := range qd.Dynamic(3) {
			mat[i][j] = 10
			sum += mat[i][j]
		}
	}
	s[9] = sum
}

//qd:kernel
func broadcasts(t qd.Thread, in []i32.Mat2, ints []i32.Mat2, floats []f32.Mat2) {
	x := in[0]
	t1 := x.AddScalar(10)
	t2 := x.Scale(2)
	ints[0], ints[1], ints[2] = t1, t2, t1.Add(t2)
	floats[0] = f32.Mat2Splat(1).DivElem(f32.Mat2From(t1))
	for i := range x {
		ints[3][i] = i32.Vec2{1, 1}.Shl(x[i])
	}
	ints[4] = x.DivScalar(2).AddScalar(1)
	ints[5] = x.Scale(2).DivElem(x)
	y := f32.Mat2From(x)
	floats[1] = y.Scale(2).DivElem(y).Floor()
}

//qd:kernel
func scalarized(t qd.Thread, out []f32.Mat2) {
	x := f32.Mat2{{1, 2}, {3, 4}}
	x[0][0] = 100
	x[0][1] = x[0][0]
	x[1][0] = x[0][1] + x[0][1]
	x[1][1] = qd.Sqrt(x[1][0])
	out[0] = x
}

//qd:kernel
func rowTimesColumn(t qd.Thread, a, b f32.Vec2, out []float32) { out[0] = a.Dot(b) }

//qd:kernel
func matStores(g qd.Grid, a []i32.Mat2) {
	g.For(3, func(i int) {
		n := int32(i)
		a[i] = i32.Mat2{{n, n + 1}, {n + 2, n + 3}}
	})
	g.For(2, func(i int) { a[3+i] = a[1+i] })
}

//qd:kernel
func broadcastStore(g qd.Grid, a []i32.Mat2) {
	g.For(len(a), func(i int) { a[i] = i32.Mat2Splat(42) })
}

//qd:kernel
func unaries(t qd.Thread, a []f32.Mat2) {
	a[2] = a[0].Neg()
	a[3] = a[1].Exp()
	a[4] = a[3].Sqrt()
}

//qd:kernel
func binaries(t qd.Thread, a []f32.Mat2) {
	a[2] = a[0].Add(a[0])
	a[3] = a[1].MulElem(a[1])
	a[4] = a[2].Max(a[3])
}

//qd:kernel
func traces(t qd.Thread, m []f32.Mat2, out []float32) { out[0] = m[0].Trace() }

//qd:kernel
func selects(t qd.Thread, n int, x, y i32.Vec3, out []i32.Vec3) {
	out[0] = x.Where(bools.Vec3{true, false, true}, y)
	for i := range n {
		z := y
		if i%2 == 1 {
			z = x
		}
		out[1+i] = z
	}
}

//qd:kernel
func fills(t qd.Thread, x float32, out []f32.Mat4x3) { out[0] = f32.Mat4x3Splat(x) }

//qd:kernel
func atomics(g qd.Grid, x []f32.Vec3, before []f32.Vec3) {
	tmp := f32.Vec3{3, 2, 1}
	for i := range tmp {
		before[0][i] = qd.AtomicAdd(&x[0][i], -tmp[i])
		before[1][i] = qd.AtomicAdd(&x[1][i], 2)
	}
	g.For(300, func(i int) { qd.AtomicAdd(&x[2][i%3], 1) })
}

var springOffsets = [2]i32.Vec2{{1, 2}, {2, 3}}

//qd:kernel
func offsets(t qd.Thread, x qd.View2[i32.Vec3]) {
	vec := i32.Vec2{4, 5}
	a := vec.Add(qd.Static(springOffsets)[0])
	b := vec.Add(qd.Static(springOffsets)[1])
	x.Set(int(a[0]), int(a[1]), i32.Vec3{100, 10, 1})
	x.Set(int(b[0]), int(b[1]), i32.Vec3{1, 10, 100})

	vec = i32.Vec2{0, 1}
	c := vec.Where(vec.NotEqual(i32.Vec2{}), springOffsets[0])
	x.Set(int(c[0]), int(c[1]), i32.Vec3{7, 7, 7})
	vec = vec.Add(springOffsets[0])
	x.Set(int(vec[0]), int(vec[1]), i32.Vec3{8, 8, 8})
}

//qd:kernel
func overwritten(t qd.Thread, out []int32) {
	p := i32.Mat4Identity()
	var sig i32.Vec4
	for loop := qd.Dynamic(true); loop; {
		loop = p[0][0] != 1
		p[0][0] = -1
	}
	for i := range qd.Dynamic(1) {
		sig[i] = 2
	}
	out[0] = sig.Sum() + p.Sum()
}

//qd:kernel
func numbersOfRows(t qd.Thread, x i32.Vec2, y i32.Mat3, out []int) {
	out[0], out[1] = len(x), len(y)
	for range x {
		out[2]++
	}
}

//qd:kernel
func flattened(t qd.Thread, out []i32.Vec4) {
	out[0] = i32.Vec4{globalMat[0][0], globalMat[0][1], globalMat[1][0], globalMat[1][1]}
}

//qd:kernel
func arithmetic(t qd.Thread, f []f32.Vec4) {
	v0, v1, v2, v3 := f[0], f[1], f[2], f[3]
	f[0] = v0.Mul(v1).Add(v2)
	f[1] = v1.Mul(v2).Add(v3)
	f[2] = v0.Mul(v2).Add(v3)
}

//qd:kernel
func writesElement(t qd.Thread, i int, out []int32) {
	x := i32.Vec2{1, 0}
	x[i] = 42
	out[0] = x[i]
}

//qd:kernel
func writesMatElement(t qd.Thread, i, j int, out []int32) {
	y := i32.Mat3{{1, 1, 1}, {2, 2, 2}, {3, 3, 3}}
	y[i][j] = 42
	out[0] = y[i][j]
}

func lengthOfFour(w f64.Vec4) float64 { return w.Norm() }

//qd:kernel
func callsWithVector(t qd.Thread, v f64.Vec4, out []float64) { out[0] = lengthOfFour(v) }

//qd:kernel
func incrementsElement(g qd.Grid, x []f32.Vec3) {
	g.For(len(x), func(i int) { x[i][1]++ })
}

//qd:kernel
func partsRead(t qd.Thread, index int, vecs []i32.Vec3, cols []i32.Vec2) {
	c := [7]int32{0, 1, 2, 3, 4, 5, 6}
	for i := range 3 {
		vecs[0][i] = c[2*i]
	}
	m := i32.Mat2x3{{1, 2, 3}, {4, 5, 6}}
	vecs[1] = m[index]
	cols[0] = m.Col(index)
	cols[1] = m[1].YZ()
}

//qd:kernel
func sliceWrites(t qd.Thread, i int, out []i32.Mat3x4) {
	out[0] = i32.Mat3x4{}.WithCol(0, i32.Vec3{1, 2, 3})
	for j, x := range (i32.Vec2{1, 2}) {
		out[1][1][1+j] = x
	}
	ones := i32.Mat3x4Splat(1)
	for r := range 2 {
		ones[r] = ones[r].Add(i32.Vec4{1, 2, 3, 4})
	}
	out[2] = ones
	var m i32.Mat3x4
	m[i] = i32.Vec4{1, 2, 3, 4}
	out[3] = m
	out[4] = i32.Mat3x4{}.WithCol(i, i32.Vec3{7, 8, 9})
}

//qd:kernel
func matrixArguments(t qd.Thread, mat i32.Mat2x3, add int32, odd i32.Mat3x2, vec i32.Vec3, out []int32) {
	out[0] = mat[0][0] + mat[1][2]
	res := odd
	for i := range qd.Static(3) {
		for j := range qd.Static(2) {
			res[i][j] += add
		}
	}
	out[1], out[2] = res[2][1], odd[2][1]
	out[3] = vec.Sum()
}

//qd:kernel
func paints(t qd.Thread, attachment qd.View2[uint8s.Vec4], pos, up f32.Vec3) {
	i, j := t.ID2()
	o := pos.Add(up.Normalize())
	attachment.Set(i, j, uint8s.Vec4From(o.Extend(255)))
}

func threeNumbers() i32.Vec3            { return i32.Vec3{1, 2, 3} }
func sixNumbers() int8s.Mat2x3          { return int8s.Mat2x3{{1, 2, 3}, {4, 5, 6}} }
func bothNumbers() (i32.Vec3, i32.Vec2) { return threeNumbers(), i32.Vec2{4, 5} }

//qd:kernel
func returned(t qd.Thread, vecs []i32.Vec3, mats []int8s.Mat2x3, seconds []i32.Vec2) {
	vecs[0], mats[0] = threeNumbers(), sixNumbers()
	vecs[1], seconds[0] = bothNumbers()
}
