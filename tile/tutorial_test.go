package tile_test

import (
	"math"
	"testing"

	"github.com/qdgen/qd"
	kernels "github.com/qdgen/qd/internal/corpus/kernels"
)

// The programs of the tutorial are kernels of the corpus: tiles_tutorials, tiles_backward and tiles_gemm. The tests of the corpus
// compare devices, and these compare the results with plain Go in float64.

// near fails if the elements of x and want differ by more than a bound.
func near(t *testing.T, what string, x []float32, want []float64, bound float64) {
	t.Helper()
	for i, v := range x {
		if d := math.Abs(float64(v) - want[i]); !(d <= bound) {
			t.Fatalf("%s: element %d is %v, not %v", what, i, v, want[i])
		}
	}
}

// A launcher launches kernels of the corpus on a device.
type launcher struct {
	*testing.T
	dev *qd.Device
}

func (l launcher) launch(kernel string, blocks int, args ...any) {
	l.Helper()
	if err := l.dev.Launch(kernels.Funcs[kernel], qd.Dim(blocks), args...); err != nil {
		l.Fatalf("%s: %v", kernel, err)
	}
}

func onEach(t *testing.T, test func(l launcher)) {
	t.Helper()
	onAll(t, func(t *testing.T, dev *qd.Device) { test(launcher{t, dev}) })
}

func TestTutorialVectorAdd(t *testing.T) {
	x, y := randoms(200, 1), randoms(200, 2)
	want := make([]float64, 200)
	for i := range want {
		want[i] = float64(x[i] + y[i])
	}
	onEach(t, func(l launcher) {
		z := make([]float32, 200)
		l.launch("tileVectorAdd", 4, x, y, z)
		near(l.T, "sum", z, want, 0)
	})
}

func TestTutorialSoftmax(t *testing.T) {
	const rows, columns = 7, 90
	x := randoms(rows*columns, 3)
	want := make([]float64, rows*columns)
	for i := range rows {
		sum := 0.0
		for j := range columns {
			want[i*columns+j] = math.Exp(float64(x[i*columns+j]))
			sum += want[i*columns+j]
		}
		for j := range columns {
			want[i*columns+j] /= sum
		}
	}
	onEach(t, func(l launcher) {
		y := make([]float32, len(x))
		l.launch("tileSoftmax", rows, columns, x, y)
		near(l.T, "softmax", y, want, 1e-7)
	})
}

func TestTutorialDropout(t *testing.T) {
	const n, p, seed = 1000, 0.25, uint64(99)
	x := randoms(n, 4)
	want := make([]float64, n)
	kept := 0
	for i, v := range x {
		if qd.RandFloat32(seed, i) > p {
			want[i] = float64(v / (1 - p))
			kept++
		}
	}
	if kept < 700 || kept > 800 {
		t.Errorf("%d of %d are kept", kept, n)
	}
	onEach(t, func(l launcher) {
		y := make([]float32, n)
		l.launch("tileDropout", qd.CeilDiv(n, 32), float32(p), seed, x, y)
		near(l.T, "dropout", y, want, 0)
	})
}

// plainProduct is x * y, of m x k and k x n elements.
func plainProduct(x, y []float32, m, n, k int) []float64 {
	z := make([]float64, m*n)
	for i := range m {
		for j := range n {
			for p := range k {
				z[i*n+j] += float64(x[i*k+p]) * float64(y[p*n+j])
			}
		}
	}
	return z
}

func TestTutorialMatmul(t *testing.T) {
	const m, n, k = 37, 21, 75
	x, y := randoms(m*k, 5), randoms(k*n, 6)
	want := plainProduct(x, y, m, n, k)
	leaky := append([]float64(nil), want...)
	for i, v := range leaky {
		leaky[i] = max(v, 0.01*v)
	}
	tiles := qd.CeilDiv(m, 16) * qd.CeilDiv(n, 8)
	onEach(t, func(l launcher) {
		z := make([]float32, m*n)
		l.launch("tileMatmul", tiles, m, n, k, x, y, z)
		near(l.T, "with an activation", z, leaky, 1e-5)
		for _, blocks := range []int{1, 4, 20} {
			clear(z)
			l.launch("tilePersistent", blocks, blocks, m, n, k, x, y, z)
			near(l.T, "persistent", z, want, 1e-5)
		}
		for _, splits := range []int{1, 3, 7} {
			clear(z)
			l.launch("tileSplitK", tiles*splits, splits, m, n, k, x, y, z)
			near(l.T, "split", z, want, 1e-5)
		}
	})
}

func TestTutorialGroupedGEMM(t *testing.T) {
	sizes := []int{20, 9, 33, 1, 1, 1, 40, 30, 10, 16, 8, 16, 3, 50, 7}
	var x, y []float32
	var want []float64
	for g := 0; g < len(sizes); g += 3 {
		m, n, k := sizes[g], sizes[g+1], sizes[g+2]
		a, b := randoms(m*k, uint64(g)), randoms(k*n, uint64(g+1))
		x, y, want = append(x, a...), append(y, b...), append(want, plainProduct(a, b, m, n, k)...)
	}
	onEach(t, func(l launcher) {
		for _, blocks := range []int{1, 5, 100} {
			z := make([]float32, len(want))
			l.launch("tileGroupedGEMM", blocks, blocks, sizes, x, y, z)
			near(l.T, "products", z, want, 1e-5)
		}
	})
}

func TestTutorialLayerNorm(t *testing.T) {
	const rows, columns, groups = 20, 50, 6
	x, weight, bias, dy := randoms(rows*columns, 7), randoms(columns, 8), randoms(columns, 9), randoms(rows*columns, 10)
	y, dx := make([]float64, rows*columns), make([]float64, rows*columns)
	dw, db := make([]float64, columns), make([]float64, columns)
	for i := range rows {
		row, g := x[i*columns:][:columns], dy[i*columns:][:columns]
		mean, variance := 0.0, 0.0
		for _, v := range row {
			mean += float64(v) / columns
		}
		for _, v := range row {
			variance += (float64(v) - mean) * (float64(v) - mean) / columns
		}
		rstd := 1 / math.Sqrt(variance+1e-5)
		constant, along := 0.0, 0.0
		for j, v := range row {
			normal := (float64(v) - mean) * rstd
			y[i*columns+j] = normal*float64(weight[j]) + float64(bias[j])
			wg := float64(weight[j]) * float64(g[j])
			constant, along = constant+wg/columns, along+wg*normal/columns
			dw[j] += float64(g[j]) * normal
			db[j] += float64(g[j])
		}
		for j, v := range row {
			dx[i*columns+j] = (float64(weight[j])*float64(g[j]) - (float64(v)-mean)*rstd*along - constant) * rstd
		}
	}
	onEach(t, func(l launcher) {
		out, mean, rstd := make([]float32, rows*columns), make([]float32, rows), make([]float32, rows)
		l.launch("tileLayerNorm", rows, columns, x, weight, bias, out, mean, rstd)
		near(l.T, "result", out, y, 1e-5)
		gx, parts, biasParts := make([]float32, rows*columns), make([]float32, groups*columns), make([]float32, groups*columns)
		l.launch("tileLayerNormBackward", groups, rows, columns, groups, x, weight, mean, rstd, dy, gx, parts, biasParts)
		near(l.T, "gradient", gx, dx, 1e-4)
		gw, gb := make([]float32, columns), make([]float32, columns)
		l.launch("tileSumOfGroups", qd.CeilDiv(columns, 16), groups, columns, parts, gw)
		l.launch("tileSumOfGroups", qd.CeilDiv(columns, 16), groups, columns, biasParts, gb)
		near(l.T, "gradient of weight", gw, dw, 1e-4)
		near(l.T, "gradient of bias", gb, db, 1e-4)
	})
}

// attention is what attention gives in float64, with the gradients of q, k and v for that of the result.
func attention(n, depth int, causal bool, q, k, v, dout []float32) (out, dq, dk, dv []float64) {
	const scale = 0.3
	size := n * depth
	out, dq, dk, dv = make([]float64, size), make([]float64, size), make([]float64, size), make([]float64, size)
	for i := range n {
		end := n
		if causal {
			end = i + 1
		}
		p, sum := make([]float64, end), 0.0
		for j := range p {
			for c := range depth {
				p[j] += scale * float64(q[i*depth+c]) * float64(k[j*depth+c])
			}
			p[j] = math.Exp(p[j])
			sum += p[j]
		}
		dp, inner := make([]float64, end), 0.0
		for j := range p {
			p[j] /= sum
			for c := range depth {
				out[i*depth+c] += p[j] * float64(v[j*depth+c])
				dv[j*depth+c] += p[j] * float64(dout[i*depth+c])
				dp[j] += float64(dout[i*depth+c]) * float64(v[j*depth+c])
			}
			inner += p[j] * dp[j]
		}
		for j := range p {
			ds := p[j] * (dp[j] - inner) * scale
			for c := range depth {
				dq[i*depth+c] += ds * float64(k[j*depth+c])
				dk[j*depth+c] += ds * float64(q[i*depth+c])
			}
		}
	}
	return out, dq, dk, dv
}

func TestTutorialAttention(t *testing.T) {
	const n, depth = 53, 12
	q, k, v, dout := randoms(n*depth, 11), randoms(n*depth, 12), randoms(n*depth, 13), randoms(n*depth, 14)
	for _, causal := range []bool{false, true} {
		out, dq, dk, dv := attention(n, depth, causal, q, k, v, dout)
		onEach(t, func(l launcher) {
			rows, columns := qd.CeilDiv(n, 16), qd.CeilDiv(n, 8)
			plain := make([]float32, n*depth)
			l.launch("tileAttention", rows, n, causal, q, k, v, plain)
			near(l.T, "without sums", plain, out, 1e-5)
			o, sums, products := make([]float32, n*depth), make([]float32, n), make([]float32, n)
			l.launch("tileAttentionForward", rows, n, causal, q, k, v, o, sums)
			near(l.T, "result", o, out, 1e-5)
			l.launch("tileAttentionProducts", rows, n, o, dout, products)
			gq, gk, gv := make([]float32, n*depth), make([]float32, n*depth), make([]float32, n*depth)
			l.launch("tileAttentionKeys", columns, n, causal, q, k, v, sums, products, dout, gk, gv)
			l.launch("tileAttentionQueries", rows, n, causal, q, k, v, sums, products, dout, gq)
			near(l.T, "gradient of q", gq, dq, 1e-5)
			near(l.T, "gradient of k", gk, dk, 1e-5)
			near(l.T, "gradient of v", gv, dv, 1e-5)
		})
	}
}
