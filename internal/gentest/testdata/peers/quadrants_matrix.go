package peers

import "github.com/qdgen/qd"

// Kernels for test_matrix.py, test_matrix_slice.py, test_matrix_arg.py and
// test_matrix_return.py of Quadrants and Taichi.

var (
	globalVec = qd.Vec2i{42, 42}
	globalMat = qd.Mat2i{{1, 2}, {3, 4}}
)

//qd:kernel
func withGlobalVectors(t qd.Thread, m3 []qd.Vec2i, out []qd.Vec2i) {
	out[0], out[1] = globalVec.Add(qd.Vec2i{24, 24}), globalVec.Sub(qd.Vec2i{24, 24})
	out[2], out[3] = globalVec.Add(m3[0]), globalVec.Sub(m3[0])
}

//qd:kernel
func withGlobalMatrices(t qd.Thread, m3 []qd.Mat2i, out []qd.Mat2i) {
	other := qd.Mat2i{{5, 6}, {7, 8}}
	out[0], out[1], out[2] = globalMat.Add(other), globalMat.Sub(other), globalMat.Mul(other)
	out[3], out[4], out[5] = globalMat.Add(m3[0]), globalMat.Sub(m3[0]), globalMat.Mul(m3[0])
}

//qd:kernel
func globalsInKernel(t qd.Thread, s int32, vecs []qd.Vec2i, mats []qd.Mat2i) {
	m := qd.Mat2i{{2, 3}, {4, s}}
	vecs[0] = m.MulVec(qd.Vec2i{2, 3})
	m = m.Add(qd.Mat2i{{3, 4}, {5, s}})
	vecs[1] = m.MulVec(globalVec)
	vecs[2] = m.TMulVec(globalVec)
	mats[0] = m
}

//qd:kernel
func localIndices(t qd.Thread, out []qd.Vec3i) {
	tmp := qd.Vec3i{1, 2, 3}
	for i := range qd.Dynamic(3) {
		vec := qd.Vec3i{4, 5, 6}
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
	tmp := qd.Mat2i{{k, k * 2}, {k * 2, k * 3}}
	out[2*i+j] = tmp[i][j]
}

//qd:kernel
func arrayIndices(t qd.Thread, a []qd.Mat2i, b []Vec10[int32]) {
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
func arrayConstants(t qd.Thread, m []qd.Mat2i) {
	i := t.ID()
	for j := range qd.Static(2) {
		for k := range qd.Static(2) {
			m[i][j][k] = 12
		}
	}
}

var threeInts = qd.Vec3i{1, 2, 3}

//qd:kernel
func copies(t qd.Thread, field []qd.Vec3i, out []qd.Vec3i) {
	captured := threeInts
	out[0] = captured
	captured = qd.Vec3i{4, 5, 6}
	out[1] = captured

	element := field[0]
	element[0], element[1], element[2] = 5, 9, 7
	out[2], out[3] = element, field[0]

	a := qd.Vec3i{1, 2, 3}
	b := a
	b[0], b[1], b[2] = 5, 9, 7
	out[4], out[5] = b, a
}

//qd:kernel
func elementOfEach(t qd.Thread, a []qd.Vec3i) {
	i := t.ID()
	a[i][i%3] = int32(i)
}

//qd:kernel
func madeInLoop(t qd.Thread, out []int32) {
	for c := range int32(10) {
		p := qd.Vec2i{c, c * 2}
		for i := range int32(2) {
			if p[i] != c*(i+1) {
				out[0]++
			}
		}
	}
}

//qd:kernel
func elementTypes(t qd.Thread, n []qd.Vec3i, x []qd.Vec3f, out []qd.Vec3f, outN []qd.Vec3i) {
	out[0] = qd.Vec3As[float32](n[0]).DivScalar(2)
	outN[0] = qd.Vec3As[int32](x[0])
}

//qd:kernel
func matElementTypes(t qd.Thread, n []qd.Mat2i, x []qd.Mat2f, out []qd.Mat2f, outN []qd.Mat2i) {
	out[0] = qd.Mat2x2As[float32](n[0]).DivScalar(2)
	outN[0] = qd.Mat2x2As[int32](x[0])
}

//qd:kernel
func rowsByIndex(t qd.Thread, i int, m []qd.Mat2x3[int32], out []qd.Vec3i) {
	out[0], out[1] = m[0][i], m[0].Row(1-i)
}

// A withMatrix has a vector and a matrix.
type withMatrix struct {
	A qd.Vec3i
	M qd.Mat2x3[int32]
	N int32
}

//qd:kernel
func matrixInStruct(t qd.Thread, i int, in, out []withMatrix) {
	s := withMatrix{A: qd.Vec3i{1, 2, 3}, M: qd.Mat2x3[int32]{{1, 2, 3}, {4, 5, 6}}, N: 2}
	s.M[i][2] = s.A[i] + in[0].M[1][i]
	s.A = s.A.Add(in[0].A)
	s.M[1-i] = in[0].M[i]
	out[0] = s
}

//qd:kernel
func onesTimesThrees(t qd.Thread, out []qd.Vec3f) {
	out[0] = qd.Mat3x3Splat[float32](1).MulVec(qd.Vec3Splat[float32](3))
}

// counting is the matrix of the numbers from 0 on.
func counting() (m qd.Mat3i) {
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
func readLiteral(t qd.Thread, out []int32) { out[t.ID()] = qd.Vec3i{0, 1, 2}[t.ID()] }

//qd:kernel
func localInLoops(t qd.Thread, s []int32, transposed []qd.Mat3i) {
	mat := counting()
	for i := range qd.Dynamic(3) {
		for j := range qd.Dynamic(3) {
			s[3*i+j] = mat[i][j] + 1
		}
	}
	var result qd.Mat3i
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
func broadcasts(t qd.Thread, in []qd.Mat2i, ints []qd.Mat2i, floats []qd.Mat2f) {
	x := in[0]
	t1 := x.AddScalar(10)
	t2 := x.Scale(2)
	ints[0], ints[1], ints[2] = t1, t2, t1.Add(t2)
	floats[0] = qd.Mat2x2Splat[float32](1).DivElem(qd.Mat2x2As[float32](t1))
	for i := range x {
		ints[3][i] = qd.Vec2Shl(qd.Vec2i{1, 1}, x[i])
	}
	ints[4] = x.DivScalar(2).AddScalar(1)
	ints[5] = x.Scale(2).DivElem(x)
	y := qd.Mat2x2As[float32](x)
	floats[1] = y.Scale(2).DivElem(y).Floor()
}

//qd:kernel
func scalarized(t qd.Thread, out []qd.Mat2f) {
	x := qd.Mat2f{{1, 2}, {3, 4}}
	x[0][0] = 100
	x[0][1] = x[0][0]
	x[1][0] = x[0][1] + x[0][1]
	x[1][1] = qd.Sqrt(x[1][0])
	out[0] = x
}

//qd:kernel
func rowTimesColumn(t qd.Thread, a, b qd.Vec2f, out []float32) { out[0] = a.Dot(b) }

//qd:kernel
func matStores(g qd.Grid, a []qd.Mat2i) {
	g.For(3, func(i int) {
		n := int32(i)
		a[i] = qd.Mat2i{{n, n + 1}, {n + 2, n + 3}}
	})
	g.For(2, func(i int) { a[3+i] = a[1+i] })
}

//qd:kernel
func broadcastStore(g qd.Grid, a []qd.Mat2i) {
	g.For(len(a), func(i int) { a[i] = qd.Mat2x2Splat[int32](42) })
}

//qd:kernel
func unaries(t qd.Thread, a []qd.Mat2f) {
	a[2] = a[0].Neg()
	a[3] = a[1].Exp()
	a[4] = a[3].Sqrt()
}

//qd:kernel
func binaries(t qd.Thread, a []qd.Mat2f) {
	a[2] = a[0].Add(a[0])
	a[3] = a[1].MulElem(a[1])
	a[4] = a[2].Max(a[3])
}

//qd:kernel
func traces(t qd.Thread, m []qd.Mat2f, out []float32) { out[0] = m[0].Trace() }

//qd:kernel
func selects(t qd.Thread, n int, x, y qd.Vec3i, out []qd.Vec3i) {
	out[0] = x.Where(qd.Bool3{true, false, true}, y)
	for i := range n {
		z := y
		if i%2 == 1 {
			z = x
		}
		out[1+i] = z
	}
}

//qd:kernel
func fills(t qd.Thread, x float32, out []qd.Mat4x3f) { out[0] = qd.Mat4x3Splat(x) }

//qd:kernel
func atomics(g qd.Grid, x []qd.Vec3f, before []qd.Vec3f) {
	tmp := qd.Vec3f{3, 2, 1}
	for i := range tmp {
		before[0][i] = qd.AtomicAdd(&x[0][i], -tmp[i])
		before[1][i] = qd.AtomicAdd(&x[1][i], 2)
	}
	g.For(300, func(i int) { qd.AtomicAdd(&x[2][i%3], 1) })
}

var springOffsets = [2]qd.Vec2i{{1, 2}, {2, 3}}

//qd:kernel
func offsets(t qd.Thread, x qd.View2[qd.Vec3i]) {
	vec := qd.Vec2i{4, 5}
	a := vec.Add(qd.Static(springOffsets)[0])
	b := vec.Add(qd.Static(springOffsets)[1])
	x.Set(int(a[0]), int(a[1]), qd.Vec3i{100, 10, 1})
	x.Set(int(b[0]), int(b[1]), qd.Vec3i{1, 10, 100})

	vec = qd.Vec2i{0, 1}
	c := vec.Where(vec.NotEqual(qd.Vec2i{}), springOffsets[0])
	x.Set(int(c[0]), int(c[1]), qd.Vec3i{7, 7, 7})
	vec = vec.Add(springOffsets[0])
	x.Set(int(vec[0]), int(vec[1]), qd.Vec3i{8, 8, 8})
}

//qd:kernel
func overwritten(t qd.Thread, out []int32) {
	p := qd.Mat4x4Identity[int32]()
	var sig qd.Vec4i
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
func numbersOfRows(t qd.Thread, x qd.Vec2i, y qd.Mat3i, out []int) {
	out[0], out[1] = len(x), len(y)
	for range x {
		out[2]++
	}
}

//qd:kernel
func flattened(t qd.Thread, out []qd.Vec4i) {
	out[0] = qd.Vec4i{globalMat[0][0], globalMat[0][1], globalMat[1][0], globalMat[1][1]}
}

//qd:kernel
func arithmetic(t qd.Thread, f []qd.Vec4f) {
	v0, v1, v2, v3 := f[0], f[1], f[2], f[3]
	f[0] = v0.Mul(v1).Add(v2)
	f[1] = v1.Mul(v2).Add(v3)
	f[2] = v0.Mul(v2).Add(v3)
}

//qd:kernel
func writesElement(t qd.Thread, i int, out []int32) {
	x := qd.Vec2i{1, 0}
	x[i] = 42
	out[0] = x[i]
}

//qd:kernel
func writesMatElement(t qd.Thread, i, j int, out []int32) {
	y := qd.Mat3i{{1, 1, 1}, {2, 2, 2}, {3, 3, 3}}
	y[i][j] = 42
	out[0] = y[i][j]
}

func lengthOfFour(w qd.Vec4d) float64 { return w.Norm() }

//qd:kernel
func callsWithVector(t qd.Thread, v qd.Vec4d, out []float64) { out[0] = lengthOfFour(v) }

//qd:kernel
func incrementsElement(g qd.Grid, x []qd.Vec3f) {
	g.For(len(x), func(i int) { x[i][1]++ })
}

//qd:kernel
func partsRead(t qd.Thread, index int, vecs []qd.Vec3i, cols []qd.Vec2i) {
	c := [7]int32{0, 1, 2, 3, 4, 5, 6}
	for i := range 3 {
		vecs[0][i] = c[2*i]
	}
	m := qd.Mat2x3[int32]{{1, 2, 3}, {4, 5, 6}}
	vecs[1] = m[index]
	cols[0] = m.Col(index)
	cols[1] = m[1].YZ()
}

//qd:kernel
func sliceWrites(t qd.Thread, i int, out []qd.Mat3x4[int32]) {
	out[0] = qd.Mat3x4[int32]{}.WithCol(0, qd.Vec3i{1, 2, 3})
	for j, x := range (qd.Vec2i{1, 2}) {
		out[1][1][1+j] = x
	}
	ones := qd.Mat3x4Splat[int32](1)
	for r := range 2 {
		ones[r] = ones[r].Add(qd.Vec4i{1, 2, 3, 4})
	}
	out[2] = ones
	var m qd.Mat3x4[int32]
	m[i] = qd.Vec4i{1, 2, 3, 4}
	out[3] = m
	out[4] = qd.Mat3x4[int32]{}.WithCol(i, qd.Vec3i{7, 8, 9})
}

//qd:kernel
func matrixArguments(t qd.Thread, mat qd.Mat2x3[int32], add int32, odd qd.Mat3x2[int32], vec qd.Vec3i, out []int32) {
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
func paints(t qd.Thread, attachment qd.View2[qd.Vec4[uint8]], pos, up qd.Vec3f) {
	i, j := t.ID2()
	o := pos.Add(up.Normalize())
	attachment.Set(i, j, qd.Vec4As[uint8](o.Extend(255)))
}

func threeNumbers() qd.Vec3i            { return qd.Vec3i{1, 2, 3} }
func sixNumbers() qd.Mat2x3[int8]       { return qd.Mat2x3[int8]{{1, 2, 3}, {4, 5, 6}} }
func bothNumbers() (qd.Vec3i, qd.Vec2i) { return threeNumbers(), qd.Vec2i{4, 5} }

//qd:kernel
func returned(t qd.Thread, vecs []qd.Vec3i, mats []qd.Mat2x3[int8], seconds []qd.Vec2i) {
	vecs[0], mats[0] = threeNumbers(), sixNumbers()
	vecs[1], seconds[0] = bothNumbers()
}
