package emit_test

// controlGoldens are about branches, loops and the variables that they change; see goldens.
var controlGoldens = []golden{
	{
		name: "if",
		doc:  "What Go assigns before an if is assigned before it; else-ifs are a chain.",
		src: `
//qd:kernel
func k(t qd.Thread, x []float64) {
	i := t.ID()
	v := x[i]
	s := 0.0
	if v > 1 {
		s = 2
	} else if v < -1 {
		s = v * v
	} else if v != v {
		return
	}
	x[i] = s
}
`,
		cpp: `
// k.go:13: func k(t qd.Thread, x []float64) {
    // k.go:14: i := t.ID()
    const int64 i = t.ID();
    // k.go:15: v := x[i]
    const float64 v = x[i];
    // k.go:17: if v > 1 {
    float64 s;
    if (v > 1.0) {
        // k.go:18: s = 2
        s = 2.0;
    // k.go:19: } else if v < -1 {
    } else if (v < -1.0) {
        // k.go:20: s = v * v
        s = v * v;
    } else {
        // k.go:21: } else if v != v {
        if (v != v) {
            // k.go:22: return
            return;
        }
        s = 0.0;
    }
    // k.go:24: x[i] = s
    x[i] = s;
}
`,
	},
	{
		name: "logic",
		doc:  "Go's && and || stay expressions, and read memory only when Go does.",
		src: `
//qd:kernel
func k(t qd.Thread, x []int, n int) {
	i := t.ID()
	for i < n && (x[i] > 3 || x[i] < -3 && i%2 == 0) {
		i += 2
	}
	ok := i < n && x[i] == 0
	if !ok {
		x[0] = i
	}
}
`,
		cpp: `
// k.go:13: func k(t qd.Thread, x []int, n int) {
    // k.go:14: i := t.ID()
    int64 i = t.ID();
    // k.go:15: for i < n && (x[i] > 3 || x[i] < -3 && i%2 == 0) {
    while (i < n && (x[i] > 3 || (x[i] < -3 && i % 2 == 0))) {
        // k.go:16: i += 2
        i += 2;
    }
    // k.go:18: ok := i < n && x[i] == 0
    const bool ok = i < n && x[i] == 0;
    // k.go:19: if !ok {
    if (!ok) {
        // k.go:20: x[0] = i
        x[0] = i;
    }
}
`,
	},
	{
		name: "loops",
		doc:  "Every form of for finds its C++ form.",
		src: `
//qd:kernel
func k(t qd.Thread, x []int, n int) {
	a, b := 0, 0
	for i := 0; i < n; i++ {
		a += x[i]
	}
	for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
		x[i], x[j] = x[j], x[i]
	}
	for a > 0 {
		a /= 2
	}
	for i := range x {
		if x[i] < 0 {
			continue
		}
		b += i
	}
	for {
		b--
		if b < a {
			break
		}
	}
	x[t.ID()] = a + b
}
`,
		cpp: `
// k.go:13: func k(t qd.Thread, x []int, n int) {
    // k.go:14: a, b := 0, 0
    int64 a = 0;
    // k.go:15: for i := 0; i < n; i++ {
    for (int64 i = 0; i < n; i++) {
        // k.go:16: a += x[i]
        a += x[i];
    }
    // k.go:18: for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
    for (int64 i = 0, j = n - 1; i < j; i++, j--) {
        // k.go:19: x[i], x[j] = x[j], x[i]
        const int64 x_elem = x[i];
        x[i] = x[j];
        x[j] = x_elem;
    }
    // k.go:21: for a > 0 {
    while (a > 0) {
        // k.go:22: a /= 2
        a /= 2;
    }
    int64 b = 0;
    // k.go:24: for i := range x {
    for (int64 i = 0; i < x.len; i++) {
        // k.go:25: if x[i] < 0 {
        if (x[i] < 0) {
            // k.go:26: continue
            continue;
        }
        // k.go:28: b += i
        b += i;
    }
    // k.go:30: for {
    for (;;) {
        // k.go:31: b--
        b--;
        // k.go:32: if b < a {
        if (b < a) {
            // k.go:33: break
            break;
        }
    }
    // k.go:36: x[t.ID()] = a + b
    x[t.ID()] = a + b;
}
`,
	},
	{
		name: "swap",
		doc:  "Copies of one edge happen at once.",
		src: `
//qd:kernel
func k(t qd.Thread, x []int, n int) {
	a, b := 0, 1
	for range n {
		a, b = b, a+b
	}
	c, d := a, b
	for range n {
		c, d = d, c
	}
	x[t.ID()] = c - d
}
`,
		cpp: `
// k.go:13: func k(t qd.Thread, x []int, n int) {
    // k.go:14: a, b := 0, 1
    int64 a = 0;
    int64 b = 1;
    // k.go:15: for range n {
    for (int64 turn = 0; turn < n; turn++) {
        // k.go:16: a, b = b, a+b
        const int64 b_next = a + b;
        a = b;
        b = b_next;
    }
    int64 c = a;
    int64 d = b;
    // k.go:19: for range n {
    for (int64 turn = 0; turn < n; turn++) {
        const int64 c_next = d;
        d = c;
        c = c_next;
    }
    // k.go:22: x[t.ID()] = c - d
    x[t.ID()] = c - d;
}
`,
	},
	{
		name: "old",
		doc:  "A value that is still needed keeps its variable, its successor gets another.",
		src: `
//qd:kernel
func k(t qd.Thread, x []int, n int) {
	sum := 0
	for i := 0; i < n; i++ {
		old := sum
		sum += x[i]
		x[i] = old
	}
	x[n] = sum
}
`,
		cpp: `
// k.go:13: func k(t qd.Thread, x []int, n int) {
    // k.go:14: sum := 0
    int64 sum = 0;
    // k.go:15: for i := 0; i < n; i++ {
    for (int64 i = 0; i < n; i++) {
        // k.go:17: sum += x[i]
        const int64 sum_next = sum + x[i];
        // k.go:18: x[i] = old
        x[i] = sum;
        sum = sum_next;
    }
    // k.go:20: x[n] = sum
    x[n] = sum;
}
`,
	},
	{
		name: "labels",
		doc:  "Loops that C++ cannot leave by break and continue are left by goto, forward.",
		src: `
//qd:kernel
func k(t qd.Thread, x []int, n int) {
	sum := 0
rows:
	for i := 0; i < n; i++ {
		for j := 0; j < n; j++ {
			v := x[i*n+j]
			switch {
			case v < 0:
				continue rows
			case v == 99:
				break rows
			}
			sum += v
		}
		sum *= 2
	}
	x[t.ID()] = sum
}
`,
		cpp: `
// k.go:13: func k(t qd.Thread, x []int, n int) {
    // k.go:14: sum := 0
    int64 sum = 0;
    // k.go:16: for i := 0; i < n; i++ {
    for (int64 i = 0; i < n; i++) {
        // k.go:17: for j := 0; j < n; j++ {
        for (int64 j = 0; j < n; j++) {
            // k.go:18: v := x[i*n+j]
            const int64 v = x[i * n + j];
            // k.go:20: case v < 0:
            if (v < 0) {
                // k.go:21: continue rows
                goto rows_next;
            // k.go:22: case v == 99:
            } else if (v == 99) {
                // k.go:23: break rows
                goto rows_done;
            }
            // k.go:25: sum += v
            sum += v;
        }
        // k.go:27: sum *= 2
        sum *= 2;
        rows_next:;
    }
    rows_done:;
    // k.go:29: x[t.ID()] = sum
    x[t.ID()] = sum;
}
`,
		cuda: `
// k.go:13: func k(t qd.Thread, x []int, n int) {
    // k.go:14: sum := 0
    int64 sum = 0;
    // k.go:16: for i := 0; i < n; i++ {
    for (int64 i = 0; i < n; i++) {
        // k.go:17: for j := 0; j < n; j++ {
        for (int64 j = 0; j < n; j++) {
            // k.go:18: v := x[i*n+j]
            const int64 v = x[go::add64(go::mul64(i, n), j)];
            // k.go:20: case v < 0:
            if (v < 0) {
                // k.go:21: continue rows
                goto rows_next;
            // k.go:22: case v == 99:
            } else if (v == 99) {
                // k.go:23: break rows
                goto rows_done;
            }
            // k.go:25: sum += v
            sum = go::add64(sum, v);
        }
        // k.go:27: sum *= 2
        sum = go::mul64(sum, 2);
        rows_next:;
    }
    rows_done:;
    // k.go:29: x[t.ID()] = sum
    x[t.ID()] = sum;
}
`,
	},
	{
		name: "post",
		doc:  "A post part that is no expression stands at the end of the body.",
		src: `
func next(i int) (int, int) { return i + 1, i * i }

//qd:kernel
func k(t qd.Thread, x []int, n int) {
	sq := 0
	for i := 0; i < n; i, sq = next(i) {
		if x[i] == 7 {
			continue
		}
		v := x[i] - sq
		x[i] = v * v
	}
}
`,
		cpp: `
// k.go:12: func next(i int) (int, int) { return i + 1, i * i }
    return {i + 1, i * i};
}

// k.go:15: func k(t qd.Thread, x []int, n int) {
    int64 i = 0;
    // k.go:16: sq := 0
    int64 sq = 0;
    // k.go:17: for i := 0; i < n; i, sq = next(i) {
    while (i < n) {
        {
            // k.go:18: if x[i] == 7 {
            if (x[i] == 7) {
                // k.go:19: continue
                goto loop_next;
            }
            // k.go:21: v := x[i] - sq
            const int64 v = x[i] - sq;
            // k.go:22: x[i] = v * v
            x[i] = v * v;
        }
        loop_next:;
        const auto [i_next, sq_next] = next(i);
        i = i_next;
        sq = sq_next;
    }
}
`,
	},
}
