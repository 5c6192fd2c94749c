package main

import "github.com/qdgen/qd"

// Kernels that read their neighbours, where a grid ends or goes on at its other side, and random numbers: see
// indexing.go. Beside them is native/indexing.cpp.

// wrapRemainder has the neighbours of the last column in the first one.
//
//qd:kernel
func wrapRemainder(t qd.Thread, r float32, u, next []float32) {
	i, j := t.ID2()
	n, m := t.Dim(0), t.Dim(1)
	c := u[i*m+j]
	up, down := u[(i+n-1)%n*m+j], u[(i+1)%n*m+j]
	left, right := u[i*m+(j+m-1)%m], u[i*m+(j+1)%m]
	next[i*m+j] = c + r*(up+down+left+right-4*c)
}

// wrapTest is wrapRemainder with tests.
//
//qd:kernel
func wrapTest(t qd.Thread, r float32, u, next []float32) {
	i, j := t.ID2()
	n, m := t.Dim(0), t.Dim(1)
	above, below, before, after := i-1, i+1, j-1, j+1
	if above < 0 {
		above += n
	}
	if below == n {
		below = 0
	}
	if before < 0 {
		before += m
	}
	if after == m {
		after = 0
	}
	c := u[i*m+j]
	next[i*m+j] = c + r*(u[above*m+j]+u[below*m+j]+u[i*m+before]+u[i*m+after]-4*c)
}

// blur3 is the mean of 3 by 3 elements.
//
//qd:kernel
func blur3(t qd.Thread, in, out []float32) {
	i, j := t.ID2()
	n, m := t.Dim(0), t.Dim(1)
	var sum float32
	for di := -1; di <= 1; di++ {
		for dj := -1; dj <= 1; dj++ {
			sum += in[qd.Clamp(i+di, 0, n-1)*m+qd.Clamp(j+dj, 0, m-1)]
		}
	}
	out[i*m+j] = sum / 9
}

// blur3View is blur3 of views.
//
//qd:kernel
func blur3View(t qd.Thread, in, out qd.View2[float32]) {
	i, j := t.ID2()
	var sum float32
	for di := -1; di <= 1; di++ {
		for dj := -1; dj <= 1; dj++ {
			sum += in.At(qd.Clamp(i+di, 0, in.Dim(0)-1), qd.Clamp(j+dj, 0, in.Dim(1)-1))
		}
	}
	out.Set(i, j, sum/9)
}

// latticeBoltzmann is a step of a fluid in two dimensions with nine speeds (D2Q9), each in a plane of its own, on a
// torus.
//
//qd:kernel
func latticeBoltzmann(t qd.Thread, omega float32, f, next []float32) {
	y, x := t.ID2()
	h, w := t.Dim(0), t.Dim(1)
	n := h * w
	north, south := (y+1)%h*w, (y+h-1)%h*w
	west, east := (x+w-1)%w, (x+1)%w
	row := y * w

	// What has moved here from the neighbours.
	f0 := f[row+x]
	f1, f3 := f[n+row+west], f[3*n+row+east]
	f2, f4 := f[2*n+south+x], f[4*n+north+x]
	f5, f6 := f[5*n+south+west], f[6*n+south+east]
	f7, f8 := f[7*n+north+east], f[8*n+north+west]

	density := f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8
	u := (f1 - f3 + f5 - f6 - f7 + f8) / density
	v := (f2 - f4 + f5 + f6 - f7 - f8) / density
	rest := 1 - 1.5*(u*u+v*v)
	near, far := density/9, density/36

	at := row + x
	next[at] = f0 + omega*(4*near*rest-f0)
	next[n+at] = f1 + omega*(near*(rest+3*u+4.5*u*u)-f1)
	next[2*n+at] = f2 + omega*(near*(rest+3*v+4.5*v*v)-f2)
	next[3*n+at] = f3 + omega*(near*(rest-3*u+4.5*u*u)-f3)
	next[4*n+at] = f4 + omega*(near*(rest-3*v+4.5*v*v)-f4)
	a, b := u+v, u-v
	next[5*n+at] = f5 + omega*(far*(rest+3*a+4.5*a*a)-f5)
	next[6*n+at] = f6 + omega*(far*(rest-3*b+4.5*b*b)-f6)
	next[7*n+at] = f7 + omega*(far*(rest-3*a+4.5*a*a)-f7)
	next[8*n+at] = f8 + omega*(far*(rest+3*b+4.5*b*b)-f8)
}

//qd:kernel
func randomNumbers(t qd.Thread, seed uint64, out []uint64) {
	i := t.ID()
	out[i] = qd.Rand(seed, i)
}

// pcg is the hash of Jarzynski and Olano, "Hash functions for GPU rendering" (2020).
//
//qd:kernel
func pcg(t qd.Thread, out []uint32) {
	i := t.ID()
	state := uint32(i)*747796405 + 2891336453
	word := (state>>(state>>28+4) ^ state) * 277803737
	out[i] = word>>22 ^ word
}

// tonePixels maps the light of each channel of a pixel to what a screen shows.
//
//qd:kernel
func tonePixels(t qd.Thread, in, out qd.View3[float32]) {
	i, j, k := t.ID3()
	v := in.At(i, j, k)
	v = v * (2.51*v + 0.03) / (v*(2.43*v+0.59) + 0.14)
	out.Set(i, j, k, qd.Sqrt(qd.Clamp(v, 0, 1)))
}

// grayPixels computes the light of pixels from bytes of red, green and blue.
//
//qd:kernel
func grayPixels(t qd.Thread, rgb []uint8, light []float32) {
	i := t.ID()
	r, g, b := int(rgb[3*i]), int(rgb[3*i+1]), int(rgb[3*i+2])
	light[i] = float32((299*r + 587*g + 114*b + 500) / 1000)
}

// brighten multiplies the channels of pixels that there is room for, one after the other.
//
//qd:kernel
func brighten(t qd.Thread, gain float32, pixels, next []uint8) {
	i := 3 * t.ID()
	if i+2 >= len(next) {
		return
	}
	for c := range 3 {
		next[i+c] = uint8(min(float32(pixels[i+c])*gain, 255))
	}
}

// brightenSome does so with the pixels that a mask has.
//
//qd:kernel
func brightenSome(t qd.Thread, gain float32, mask, pixels, next []uint8) {
	i := t.ID()
	if mask[i] == 0 {
		return
	}
	for c := range 3 {
		next[3*i+c] = uint8(min(float32(pixels[3*i+c])*gain, 255))
	}
}

// windowSums adds up the numbers of a row around each of them. The first and the last one stand for those beyond.
//
//qd:kernel
func windowSums(t qd.Thread, width, radius int, u, sums []float32) {
	i, j := t.ID2()
	sum := float32(0)
	for k := -radius; k <= radius; k++ {
		sum += u[i*width+min(max(j+k, 0), width-1)]
	}
	sums[i*width+j] = sum
}

// heatFlat is a step of the heat equation in rows of so many numbers, whose edges stay as they are.
//
//qd:kernel
func heatFlat(t qd.Thread, height, width int, u, next []float32) {
	i := t.ID()
	y, x := i/width, i%width
	if x == 0 || x == width-1 || y == 0 || y == height-1 {
		next[i] = u[i]
		return
	}
	next[i] = u[i] + 0.2*(u[i-1]+u[i+1]+u[i-width]+u[i+width]-4*u[i])
}

// divisorsOf is Euclid's algorithm.
//
//qd:kernel
func divisorsOf(t qd.Thread, a, b []int32, divisors []float32) {
	i := t.ID()
	x, y := a[i], b[i]
	for y != 0 {
		x, y = y, x%y
	}
	divisors[i] = float32(x)
}
