package main

import (
	"math"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

// Particles are drawn as balls in two layers, what is solid and the water in front of it.
// The water's surface is made of its balls by smoothing their depths: "Screen Space
// Fluid Rendering with Curvature Flow" of van der Laan, Green and Sainz (2009), with
// their simpler filter.

// A View is a camera, the picture it takes, and the light.
type View struct {
	Eye           f32.Vec3
	Turn          f32.Mat3 // its columns are right, up and back
	Zoom          float32  // distance of a screen of height 2
	Width, Height int
	Radius        float32  // of the balls
	Sun           f32.Vec3 // a direction
	Light         f32.Mat3 // its columns are right, up and the direction to the sun
	Center        f32.Vec3 // of what is lit
	Reach         float32  // of the light, from there
	ShadowSize    int      // of the map of shadows, in cells along each side
	Floor         float32  // its height
	Background    f32.Vec3
}

// draw takes a picture of the particles. near, depth and other have an element for each
// pixel of both layers: the nearest ball, its depth above its number; the depth of the
// surface; and room for a next one. thick is how much water is at a pixel, and shadow the
// depths that the sun sees, of both layers; glass is what [edges] draws.
//
//qd:kernel
func draw(g qd.Grid, view View, ps []particle, near []uint64, depth, other, thick []float32, shadow []uint32, glass []f32.Vec2, back, out []f32.Vec3) {
	n, m := view.Height, view.Width
	pixels := n * m
	g.For(len(near), func(i int) { near[i] = math.MaxUint64 })
	g.For(len(shadow), func(i int) { shadow[i] = math.MaxUint32 })
	g.For(pixels, func(i int) { thick[i] = 0 })
	g.For(len(ps), func(i int) { splat(view, ps[i], i, near) })
	g.For(len(ps), func(i int) { thicken(view, ps[i], near, thick) })
	g.For(len(ps), func(i int) { castShadow(view, ps[i], shadow) })

	g.For(len(near), func(i int) {
		depth[i] = far
		if near[i] != math.MaxUint64 {
			depth[i] = math.Float32frombits(uint32(near[i] >> 32))
		}
	})
	for range 3 {
		g.For2(2*n, m, func(i, j int) { other[i*m+j] = smoothed(view, ps, near, depth, i, j, 0, 1) })
		g.For2(2*n, m, func(i, j int) { depth[i*m+j] = smoothed(view, ps, near, other, i, j, 1, 0) })
	}
	g.For2(n, m, func(i, j int) { back[i*m+j] = opaque(view, i, j, ps, near, depth, shadow) })
	g.For2(n, m, func(i, j int) {
		out[i*m+j] = framed(view, i, j, depth, glass, throughWater(view, i, j, depth, thick, back))
	})
}

// shrink averages factor*factor pixels of in to one of out, whose width it is given.
//
//qd:kernel
func shrink(t qd.Thread, factor int, in, out []f32.Vec3) {
	i, j := t.ID2()
	width := t.Dim(1)
	var sum f32.Vec3
	for k := range factor * factor {
		sum = sum.Add(in[(i*factor+k/factor)*width*factor+j*factor+k%factor])
	}
	out[i*width+j] = sum.Scale(1 / float32(factor*factor))
}

// far is the depth of a pixel where nothing is.
const far = 1e9

// splat draws a particle's ball.
func splat(view View, p particle, number int, near []uint64) {
	layer := 0
	if p.Kind == water {
		layer = view.Width * view.Height
	}
	eachPixel(view, p, func(pixel int, depth, bulge float32) {
		key := uint64(math.Float32bits(depth-bulge))<<32 | uint64(number)
		qd.AtomicMin(&near[layer+pixel], key)
	})
}

// thicken adds a particle of water that is not behind what is solid.
func thicken(view View, p particle, near []uint64, thick []float32) {
	if p.Kind != water {
		return
	}
	eachPixel(view, p, func(pixel int, depth, bulge float32) {
		if near[pixel] == math.MaxUint64 || depth < math.Float32frombits(uint32(near[pixel]>>32)) {
			qd.AtomicAdd(&thick[pixel], bulge)
		}
	})
}

// eachPixel calls body with each pixel of a particle's ball, how deep its centre is, and
// how far the ball comes forward from there.
func eachPixel(view View, p particle, body func(pixel int, depth, bulge float32)) {
	at := view.Turn.TMulVec(p.X.Sub(view.Eye))
	depth := -at.Z()
	if depth < 0.1 {
		return
	}
	scale := view.Zoom * float32(view.Height) / 2
	x := float32(view.Width)/2 + at.X()/depth*scale
	y := float32(view.Height)/2 - at.Y()/depth*scale
	size := view.Radius / depth * scale
	for i := max(int(y-size), 0); i < min(int(y+size)+1, view.Height); i++ {
		for j := max(int(x-size), 0); j < min(int(x+size)+1, view.Width); j++ {
			from := f32.Vec2{float32(j) + 0.5 - x, float32(i) + 0.5 - y}.Scale(1 / size)
			if high := 1 - from.NormSq(); high > 0 {
				body(i*view.Width+j, depth, qd.Sqrt(high)*view.Radius)
			}
		}
	}
}

// castShadow draws a particle's ball as the sun sees it.
func castShadow(view View, p particle, shadow []uint32) {
	at := lit(view, p.X)
	size := view.Radius / view.Reach * float32(view.ShadowSize) / 2
	layer := 0
	if p.Kind == water {
		layer = view.ShadowSize * view.ShadowSize
	}
	for i := max(int(at.Y()-size), 0); i < min(int(at.Y()+size)+1, view.ShadowSize); i++ {
		for j := max(int(at.X()-size), 0); j < min(int(at.X()+size)+1, view.ShadowSize); j++ {
			qd.AtomicMin(&shadow[layer+i*view.ShadowSize+j], math.Float32bits(at.Z()))
		}
	}
}

// lit is a point as the sun sees it: the column and the row in the map of shadows, and
// how far it is, which is positive.
func lit(view View, x f32.Vec3) f32.Vec3 {
	at := view.Light.TMulVec(x.Sub(view.Center)).Scale(1 / view.Reach)
	half := float32(view.ShadowSize) / 2
	return f32.Vec3{half + at.X()*half, half - at.Y()*half, 4 - at.Z()}
}

// shadowed is the share of the sun that comes to a point through a layer of the map.
func shadowed(view View, x f32.Vec3, layer int, shadow []uint32) float32 {
	at := lit(view, x)
	limit := at.Z() - 2.5*view.Radius/view.Reach
	sum := float32(0)
	for k := range qd.Dynamic(25) {
		i, j := int(at.Y())+k/5-2, int(at.X())+k%5-2
		if i < 0 || j < 0 || i >= view.ShadowSize || j >= view.ShadowSize {
			continue
		}
		cell := (layer*view.ShadowSize+i)*view.ShadowSize + j
		if math.Float32frombits(shadow[cell]) < limit {
			sum++
		}
	}
	return 1 - sum/25
}

// smoothed is the depth of a pixel, mixed with those along a line on both sides that are
// not much nearer or farther. Snow stays as rough as it is.
func smoothed(view View, ps []particle, near []uint64, depth []float32, i, j, di, dj int) float32 {
	center := depth[i*view.Width+j]
	if !(center < far) {
		return center
	}
	reach := int(2.2 * view.Radius / center * view.Zoom * float32(view.Height) / 2)
	if ps[uint32(near[i*view.Width+j])].Kind == snow {
		reach /= 4
	}
	layer := i / view.Height * view.Height // the first row of this layer
	sum, weights := center, float32(1)
	for k := 1; k <= reach; k++ {
		w := qd.Exp(-3 * float32(k*k) / float32(reach*reach))
		for side := -1; side <= 1; side += 2 {
			row, col := i+side*k*di, j+side*k*dj
			if row < layer || row >= layer+view.Height || col < 0 || col >= view.Width {
				continue
			}
			d := depth[row*view.Width+col]
			step := (d - center) / (2.5 * view.Radius)
			near := w * qd.Exp(-step*step)
			if near > 1e-6 {
				sum, weights = sum+near*d, weights+near
			}
		}
	}
	return sum / weights
}

// rayOf is the direction of a pixel, so long that it goes one unit deep.
func rayOf(view View, i, j int) f32.Vec3 {
	half := float32(view.Height) / 2
	x := (float32(j) + 0.5 - float32(view.Width)/2) / (half * view.Zoom)
	y := (half - float32(i) - 0.5) / (half * view.Zoom)
	return view.Turn.MulVec(f32.Vec3{x, y, -1})
}

// pointAt is what is seen at a pixel of a layer.
func pointAt(view View, depth []float32, layer, i, j int) f32.Vec3 {
	i, j = qd.Clamp(i, 0, view.Height-1), qd.Clamp(j, 0, view.Width-1)
	return view.Eye.Add(rayOf(view, i, j).Scale(depth[(layer*view.Height+i)*view.Width+j]))
}

// slope is the direction in which a surface goes on from a pixel, towards that of its
// two neighbours which is at the more similar depth.
func slope(view View, depth []float32, layer, i, j, di, dj int) f32.Vec3 {
	here := pointAt(view, depth, layer, i, j)
	next := pointAt(view, depth, layer, i+di, j+dj).Sub(here)
	last := here.Sub(pointAt(view, depth, layer, i-di, j-dj))
	if next.NormSq() < last.NormSq() && next.NormSq() > 0 || last.NormSq() == 0 {
		return next
	}
	return last
}

// normalAt is the direction away from the surface at a pixel of a layer.
func normalAt(view View, depth []float32, layer, i, j int) f32.Vec3 {
	right := slope(view, depth, layer, i, j, 0, 1)
	up := slope(view, depth, layer, i, j, -1, 0)
	return right.Cross(up).Normalize()
}

// edges draws the edges of the box, once for all pictures: for each pixel how much of
// it they cover, and how deep they are.
//
//qd:kernel
func edges(t qd.Thread, view View, low, top f32.Vec3, glass []f32.Vec2) {
	i, j := t.ID2()
	ray := rayOf(view, i, j)
	nearest := f32.Vec2{0, far}
	for e := range qd.Dynamic(12) {
		// Edge e goes along an axis, and lies low or high on the other two.
		axis, u, v := e/4, (e/4+1)%3, (e/4+2)%3
		a := low
		if e&1 != 0 {
			a[u] = top[u]
		}
		if e&2 != 0 {
			a[v] = top[v]
		}
		b := a
		b[axis] = top[axis]
		along, from := b.Sub(a), view.Eye.Sub(a)
		// Where the ray and the edge are nearest to each other.
		rr, re, ee := ray.NormSq(), ray.Dot(along), along.NormSq()
		at := qd.Saturate((rr*from.Dot(along) - re*from.Dot(ray)) / (rr*ee - re*re))
		p := a.Add(along.Scale(at))
		depth := p.Sub(view.Eye).Dot(ray) / rr
		pixel := depth / (view.Zoom * float32(view.Height) / 2)
		cover := 1 - qd.Smoothstep(0.6, 2.0, p.Distance(view.Eye.Add(ray.Scale(depth)))/pixel)
		if cover > nearest.X() {
			nearest = f32.Vec2{cover, depth}
		}
	}
	glass[i*t.Dim(1)+j] = nearest
}
