package emit_test

// valueGoldens are about names, arithmetic, functions and memory; see goldens.
var valueGoldens = []golden{
	{
		name: "updates",
		doc:  "Operations on what they assign to print as such; a value of one use prints in it.",
		src: `
//qd:kernel
func k(t qd.Thread, x []int32, y []float32) {
	i := t.ID()
	y[i] += 2 * y[i+1]
	x[i]++
	x[2*i] -= x[i] % 10
	n := x[i]
	n <<= 3
	n |= 1
	n &^= x[i] / 7
	x[i] = n
}
`,
		cpp: `
// k.go:13: func k(t qd.Thread, x []int32, y []float32) {
    // k.go:14: i := t.ID()
    const int64 i = t.ID();
    // k.go:15: y[i] += 2 * y[i+1]
    y[i] += 2.0f * y[i + 1];
    // k.go:16: x[i]++
    x[i]++;
    // k.go:17: x[2*i] -= x[i] % 10
    x[2 * i] -= x[i] % 10;
    // k.go:18: n := x[i]
    int32 n = x[i];
    // k.go:19: n <<= 3
    n <<= 3;
    // k.go:20: n |= 1
    n |= 1;
    // k.go:21: n &^= x[i] / 7
    n &= ~(x[i] / 7);
    // k.go:22: x[i] = n
    x[i] = n;
}
`,
		cuda: `
// k.go:13: func k(t qd.Thread, x []int32, y []float32) {
    // k.go:14: i := t.ID()
    const int64 i = t.ID();
    // k.go:15: y[i] += 2 * y[i+1]
    y[i] += 2.0f * y[i + 1];
    // k.go:16: x[i]++
    x[i] = go::add32(x[i], 1);
    // k.go:17: x[2*i] -= x[i] % 10
    x[2 * i] = go::sub32(x[2 * i], x[i] % 10);
    // k.go:18: n := x[i]
    int32 n = x[i];
    // k.go:19: n <<= 3
    n = int32(uint32(n) << 3);
    // k.go:20: n |= 1
    n |= 1;
    // k.go:21: n &^= x[i] / 7
    n &= ~(x[i] / 7);
    // k.go:22: x[i] = n
    x[i] = n;
}
`,
	},
	{
		name: "names",
		doc:  "Names of C++ and of the prelude get an underscore, names in use a number.",
		src: `
//qd:kernel
func k(t qd.Thread, double, slice []int, args int, π int) {
	int32 := t.ID()
	for register := range args {
		register := register * π
		double[int32] += register
	}
	slice[0] = int32
}
`,
		cpp: `
// k.go:13: func k(t qd.Thread, double, slice []int, args int, π int) {
    // k.go:14: int32 := t.ID()
    const int64 int32_ = t.ID();
    // k.go:15: for register := range args {
    for (int64 register_ = 0; register_ < args; register_++) {
        // k.go:16: register := register * π
        const int64 register_2 = register_ * u03c0;
        // k.go:17: double[int32] += register
        double_[int32_] += register_2;
    }
    // k.go:19: slice[0] = int32
    slice_[0] = int32_;
}
`,
	},
	{
		name: "small",
		doc:  "Integers narrower than int are cut back to their type.",
		src: `
//qd:kernel
func k(t qd.Thread, a []int8, b []uint16, c []uint8) {
	i := t.ID()
	a[i] = a[i] + a[i+1]
	b[i] = b[i]*b[i+1] + 1
	c[i] = ^c[i] >> 3
	c[i+1] = max(c[i]^7, 3) << 1
}
`,
		cpp: `
// k.go:13: func k(t qd.Thread, a []int8, b []uint16, c []uint8) {
    // k.go:14: i := t.ID()
    const int64 i = t.ID();
    // k.go:15: a[i] = a[i] + a[i+1]
    a[i] += a[i + 1];
    // k.go:16: b[i] = b[i]*b[i+1] + 1
    b[i] = uint16(uint16(b[i] * b[i + 1]) + 1);
    // k.go:17: c[i] = ^c[i] >> 3
    c[i] = uint8(~c[i]) >> 3;
    // k.go:18: c[i+1] = max(c[i]^7, 3) << 1
    c[i + 1] = uint8(go::max(uint8(c[i] ^ 7), uint8(3)) << 1);
}
`,
		cuda: `
// k.go:13: func k(t qd.Thread, a []int8, b []uint16, c []uint8) {
    // k.go:14: i := t.ID()
    const int64 i = t.ID();
    // k.go:15: a[i] = a[i] + a[i+1]
    a[i] += a[i + 1];
    // k.go:16: b[i] = b[i]*b[i+1] + 1
    b[i] = uint16(uint16(uint32(b[i]) * b[i + 1]) + 1);
    // k.go:17: c[i] = ^c[i] >> 3
    c[i] = uint8(~c[i]) >> 3;
    // k.go:18: c[i+1] = max(c[i]^7, 3) << 1
    c[i + 1] = uint8(go::max(uint8(c[i] ^ 7), uint8(3)) << 1);
}
`,
	},
	{
		name: "overflow",
		doc:  "Where signed integers may overflow, CUDA adds unsigned ones.",
		src: `
//qd:kernel
func k(t qd.Thread, x []int32, w int, s int32) {
	i, j := t.ID2()
	h := x[i*t.Dim(1)+j]*31 + s
	for n := range w {
		h ^= x[n+2*i]
	}
	x[i*w+j] = -h << 5
}
`,
		cpp: `
// k.go:13: func k(t qd.Thread, x []int32, w int, s int32) {
    // k.go:14: i, j := t.ID2()
    const int64 i = t.id[0];
    const int64 j = t.id[1];
    // k.go:15: h := x[i*t.Dim(1)+j]*31 + s
    int32 h = x[i * t.dim[1] + j] * 31 + s;
    // k.go:16: for n := range w {
    for (int64 n = 0; n < w; n++) {
        // k.go:17: h ^= x[n+2*i]
        h ^= x[n + 2 * i];
    }
    // k.go:19: x[i*w+j] = -h << 5
    x[i * w + j] = -h << 5;
}
`,
		cuda: `
// k.go:13: func k(t qd.Thread, x []int32, w int, s int32) {
    // k.go:14: i, j := t.ID2()
    const int64 i = t.id[0];
    const int64 j = t.id[1];
    // k.go:15: h := x[i*t.Dim(1)+j]*31 + s
    int32 h = go::add32(go::mul32(x[i * t.dim[1] + j], 31), s);
    // k.go:16: for n := range w {
    for (int64 n = 0; n < w; n++) {
        // k.go:17: h ^= x[n+2*i]
        h ^= x[go::add64(n, 2 * i)];
    }
    // k.go:19: x[i*w+j] = -h << 5
    x[go::add64(go::mul64(i, w), j)] = int32(uint32(go::neg32(h)) << 5);
}
`,
	},
	{
		name: "division",
		doc:  "Go's divisions and shifts by what is not constant go through the prelude.",
		src: `
//qd:kernel
func k(t qd.Thread, x []int, n int, m uint) {
	i := t.ID()
	x[i] = x[i]/n + x[i]%10 + (i+1)/n
	x[i] = x[i]<<m>>3 | 1<<(m&7)
}
`,
		cpp: `
// k.go:13: func k(t qd.Thread, x []int, n int, m uint) {
    // k.go:14: i := t.ID()
    const int64 i = t.ID();
    // k.go:15: x[i] = x[i]/n + x[i]%10 + (i+1)/n
    x[i] = go::div(x[i], n) + x[i] % 10 + go::div(i + 1, n);
    // k.go:16: x[i] = x[i]<<m>>3 | 1<<(m&7)
    x[i] = (go::shl(x[i], m) >> 3) | go::shl(int64(1), m & 7);
}
`,
		cuda: `
// k.go:13: func k(t qd.Thread, x []int, n int, m uint) {
    // k.go:14: i := t.ID()
    const int64 i = t.ID();
    // k.go:15: x[i] = x[i]/n + x[i]%10 + (i+1)/n
    x[i] = go::add64(go::add64(go::div(x[i], n), x[i] % 10), go::div(i + 1, n));
    // k.go:16: x[i] = x[i]<<m>>3 | 1<<(m&7)
    x[i] = (go::shl(x[i], m) >> 3) | go::shl(int64(1), m & 7);
}
`,
	},
	{
		name: "results",
		doc:  "Several results come in a struct.",
		src: `
func divmod(a, b uint32) (q, r uint32) {
	q = a / b
	return q, a - q*b
}

//qd:kernel
func k(t qd.Thread, x []uint32) {
	i := t.ID()
	q, r := divmod(x[i], 10)
	_, s := divmod(r, 3)
	x[i] = q + r + s
}
`,
		cpp: `
// k.go:12: func divmod(a, b uint32) (q, r uint32) {
    // k.go:13: q = a / b
    const uint32 q = go::div(a, b);
    // k.go:14: return q, a - q*b
    return {q, a - q * b};
}

// k.go:18: func k(t qd.Thread, x []uint32) {
    // k.go:19: i := t.ID()
    const int64 i = t.ID();
    // k.go:20: q, r := divmod(x[i], 10)
    const auto [q, r] = divmod(x[i], 10);
    // k.go:21: _, s := divmod(r, 3)
    const auto [unused, s] = divmod(r, 3);
    // k.go:22: x[i] = q + r + s
    x[i] = q + r + s;
}
`,
	},
	{
		name: "math",
		doc:  "Functions keep their names in Go.",
		src: `
//qd:kernel
func k(t qd.Thread, x []float32, y []float64) {
	i := t.ID()
	s, c := qd.Sincos(x[i])
	x[i] = qd.Hypot(s, c) + min(s, 1, c) + 1e-3
	y[i] = math.Max(math.Inf(-1), y[i]) + math.NaN()
	if math.IsNaN(y[i]) {
		y[i] = float64(int8(y[i]))
	}
}
`,
		cpp: `
// k.go:13: func k(t qd.Thread, x []float32, y []float64) {
    // k.go:14: i := t.ID()
    const int64 i = t.ID();
    // k.go:15: s, c := qd.Sincos(x[i])
    const auto [s, c] = math::Sincos(x[i]);
    // k.go:16: x[i] = qd.Hypot(s, c) + min(s, 1, c) + 1e-3
    x[i] = math::Hypot(s, c) + go::min(go::min(s, 1.0f), c) + 0.001f;
    // k.go:17: y[i] = math.Max(math.Inf(-1), y[i]) + math.NaN()
    y[i] = math::Max(math::Inf<float64>(-1), y[i]) + math::NaN<float64>();
    // k.go:18: if math.IsNaN(y[i]) {
    if (math::IsNaN(y[i])) {
        // k.go:19: y[i] = float64(int8(y[i]))
        y[i] = float64(int8(go::to_int32(y[i])));
    }
}
`,
	},
	{
		name: "devices",
		doc:  "Atomics and printf.",
		src: `
//qd:kernel
func k(t qd.Thread, x []uint32, y []float64) {
	i := t.ID()
	old := qd.AtomicAdd(&x[i%8], 1)
	qd.AtomicMax(&y[0], float64(old))
	qd.Printf("%d: %v\n", i, y[i])
}
`,
		cpp: `
// k.go:13: func k(t qd.Thread, x []uint32, y []float64) {
    // k.go:14: i := t.ID()
    const int64 i = t.ID();
    // k.go:15: old := qd.AtomicAdd(&x[i%8], 1)
    const uint32 old = qd::AtomicAdd(&x[i % 8], uint32(1));
    // k.go:16: qd.AtomicMax(&y[0], float64(old))
    qd::AtomicMax(&y[0], float64(old));
    // k.go:17: qd.Printf("%d: %v\n", i, y[i])
    qd::Printf(0, i, y[i]);
}
`,
	},
	{
		name: "memory",
		doc:  "Places print by their Go names; what a write cannot change is read after it, what it may change before.",
		src: `
type pair struct{ a, b int }

func (p *pair) add(n int) { p.a += n }

//qd:kernel
func k(t qd.Thread, x []int, q []pair) {
	i := t.ID()
	var v [4]int
	v[i&3] = x[i]
	x[i], x[i+1] = v[0], v[1]
	p := &q[i]
	p.a, p.b = p.b, p.a
	s := q[i]
	s.a++
	s.add(v[2])
	q[i], q[i+1] = q[i+1], s
	if s == q[i] {
		x[i] = 0
	}
}
`,
		cpp: `
// k.go:14: func (p *pair) add(n int) { p.a += n }
    p->a += n;
}

// k.go:17: func k(t qd.Thread, x []int, q []pair) {
    // k.go:18: i := t.ID()
    const int64 i = t.ID();
    // k.go:19: var v [4]int
    array<int64, 4> v = {};
    // k.go:20: v[i&3] = x[i]
    v[i & 3] = x[i];
    // k.go:21: x[i], x[i+1] = v[0], v[1]
    x[i] = v[0];
    x[i + 1] = v[1];
    // k.go:22: p := &q[i]
    pair_* const p = &q[i];
    // k.go:23: p.a, p.b = p.b, p.a
    const int64 a = p->a;
    p->a = p->b;
    p->b = a;
    // k.go:24: s := q[i]
    pair_ s = *p;
    // k.go:25: s.a++
    s.a++;
    // k.go:26: s.add(v[2])
    pair_add(&s, v[2]);
    // k.go:27: q[i], q[i+1] = q[i+1], s
    *p = q[i + 1];
    q[i + 1] = s;
    // k.go:28: if s == q[i] {
    if (s == *p) {
        // k.go:29: x[i] = 0
        x[i] = 0;
    }
}
`,
	},
	{
		name: "elements",
		doc:  "Elements at known places are printed where they are used, however often: not after their variable has changed.",
		src: `
type vec [2]float32
type mat struct { rows [2]vec }

func (m mat) mul(n mat) (r mat) {
	for i := range 2 {
		for j := range 2 {
			r.rows[i][j] = m.rows[i][0]*n.rows[0][j] + m.rows[i][1]*n.rows[1][j]
		}
	}
	return r
}

//qd:kernel
func k(t qd.Thread, n int, m []mat, x []vec) {
	i := t.ID()
	p := m[i].mul(m[i])
	v := x[i]
	for range n {
		s := v[0] * v[0]
		v = vec{p.rows[0][0]*v[0] + p.rows[0][1]*v[1], p.rows[1][0]*v[0] + p.rows[1][1]*v[1]}
		v = vec{v[1], v[0] + s}
	}
	x[i] = v
}
`,
		cpp: `
// k.go:15: func (m mat) mul(n mat) (r mat) {
    mat r = {};
    // k.go:18, i = 0, j = 0: r.rows[i][j] = m.rows[i][0]*n.rows[0][j] + m.rows[i][1]*n.rows[1][j]
    r.rows[0][0] = m.rows[0][0] * n.rows[0][0] + m.rows[0][1] * n.rows[1][0];
    // k.go:18, i = 0, j = 1: r.rows[i][j] = m.rows[i][0]*n.rows[0][j] + m.rows[i][1]*n.rows[1][j]
    r.rows[0][1] = m.rows[0][0] * n.rows[0][1] + m.rows[0][1] * n.rows[1][1];
    // k.go:18, i = 1, j = 0: r.rows[i][j] = m.rows[i][0]*n.rows[0][j] + m.rows[i][1]*n.rows[1][j]
    r.rows[1][0] = m.rows[1][0] * n.rows[0][0] + m.rows[1][1] * n.rows[1][0];
    // k.go:18, i = 1, j = 1: r.rows[i][j] = m.rows[i][0]*n.rows[0][j] + m.rows[i][1]*n.rows[1][j]
    r.rows[1][1] = m.rows[1][0] * n.rows[0][1] + m.rows[1][1] * n.rows[1][1];
    // k.go:21: return r
    return r;
}

// k.go:25: func k(t qd.Thread, n int, m []mat, x []vec) {
    // k.go:26: i := t.ID()
    const int64 i = t.ID();
    // k.go:27: p := m[i].mul(m[i])
    const mat p = mat_mul(m[i], m[i]);
    // k.go:28: v := x[i]
    array<float32, 2> v = x[i];
    // k.go:29: for range n {
    for (int64 turn = 0; turn < n; turn++) {
        // k.go:30: s := v[0] * v[0]
        const float32 s = v[0] * v[0];
        // k.go:31: v = vec{p.rows[0][0]*v[0] + p.rows[0][1]*v[1], p.rows[1][0]*v[0] + p.rows[1][1]*v[1]}
        const float32 sum = p.rows[0][0] * v[0] + p.rows[0][1] * v[1];
        const float32 sum_2 = p.rows[1][0] * v[0] + p.rows[1][1] * v[1];
        // k.go:32: v = vec{v[1], v[0] + s}
        v = array<float32, 2>{sum_2, sum + s};
    }
    // k.go:34: x[i] = v
    x[i] = v;
}
`,
	},
}
