package main

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

// floorAt is how deep a pixel's ray meets the floor.
func floorAt(view View, ray f32.Vec3) float32 {
	if ray.Y() > -1e-4 {
		return far
	}
	return (view.Floor - view.Eye.Y()) / ray.Y()
}

// opaque is the colour of what is solid at a pixel: a ball, the floor, the distance.
func opaque(view View, i, j int, ps []particle, near []uint64, depth []float32, shadow []uint32) f32.Vec3 {
	ray := rayOf(view, i, j)
	d := depth[i*view.Width+j]
	if d < far && d < floorAt(view, ray) {
		p := ps[uint32(near[i*view.Width+j])]
		x := view.Eye.Add(ray.Scale(d))
		n := normalAt(view, depth, 0, i, j)
		return surface(view, p, x, n, ray.Normalize(), sunAt(view, x, shadow))
	}
	ground := view.Background
	if f := floorAt(view, ray); f < far {
		x := view.Eye.Add(ray.Scale(f))
		// Tiles, whose seams vanish in the distance.
		seam := x.XZ().Scale(8).Fract().SubScalar(0.5).Abs().MaxElem()
		tile := 0.72 - 0.10*qd.Smoothstep(0.46, 0.49, seam)/(1+0.3*f*f)
		fog := qd.Exp(-0.10 * x.Sub(view.Center).NormSq())
		lit := sunAt(view, x, shadow).Scale(0.75).AddScalar(0.32)
		ground = ground.Lerp(f32.Vec3{0.80, 0.86, 0.95}.Scale(tile).Mul(lit), fog)
	}
	return ground
}

// sunAt is the light of the sun that comes to a point: a little goes through water, and
// takes its colour.
func sunAt(view View, x f32.Vec3, shadow []uint32) f32.Vec3 {
	clear := f32.Vec3{0.35, 0.62, 0.75}.Lerp(f32.Vec3{1, 1, 1}, shadowed(view, x, 1, shadow))
	return f32.Vec3{1.25, 1.12, 0.95}.Mul(clear).Scale(shadowed(view, x, 0, shadow))
}

// surface is the light that comes from jelly or snow.
func surface(view View, p particle, x, n, ray, sun f32.Vec3) f32.Vec3 {
	color, gloss, wrap := f32.Vec3{1.0, 0.33, 0.06}, float32(0.7), float32(0.45)
	if p.Kind == snow {
		color, gloss, wrap = f32.Vec3{0.95, 0.97, 1}.Scale(0.92+0.08*p.Shade), 0.05, 0.25
	}
	// Light goes into both, and comes out where no sun is.
	diffuse := max((n.Dot(view.Sun)+wrap)/(1+wrap), 0)
	sky := 0.5 + 0.5*n.Y()
	light := sun.Scale(diffuse * 0.95).Add(f32.Vec3{0.30, 0.36, 0.46}.Scale(sky)).Add(f32.Vec3{0.16, 0.14, 0.12}.Scale(1 - sky))
	half := view.Sun.Sub(ray).Normalize()
	shine := qd.Pow(max(n.Dot(half), 0), 60) * gloss
	rim := qd.Pow(1-max(-ray.Dot(n), 0), 3) * gloss * 0.35
	return color.Mul(light).Add(sun.Scale(shine)).Add(view.Background.Scale(rim))
}

// throughWater is the colour of a pixel with the water before what is solid: it bends
// what is behind, takes red from it, and mirrors the sky.
func throughWater(view View, i, j int, depth, thick []float32, back []f32.Vec3) f32.Vec3 {
	at := i*view.Width + j
	d := depth[view.Width*view.Height+at]
	ray := rayOf(view, i, j)
	if !(d < far) || d > depth[at] || d > floorAt(view, ray) {
		return back[at]
	}
	n := normalAt(view, depth, 1, i, j)
	deep := thick[at]
	bend := view.Turn.TMulVec(n).XY().Scale(min(deep, 0.25) * float32(view.Height) * 0.25)
	row := qd.Clamp(i+int(bend.Y()), 0, view.Height-1)
	col := qd.Clamp(j-int(bend.X()), 0, view.Width-1)
	behind := back[row*view.Width+col]
	seen := behind.Mul(f32.Vec3{-9, -2.6, -1.3}.Scale(deep).Exp())
	seen = seen.Add(f32.Vec3{0.02, 0.16, 0.26}.Scale(1 - qd.Exp(-3*deep)))

	ray = ray.Normalize()
	facing := max(-ray.Dot(n), 0)
	mirror := 0.04 + 0.96*qd.Pow(1-facing, 5)
	up := ray.Reflect(n).Y()
	sky := view.Background.Lerp(f32.Vec3{0.75, 0.88, 1}, qd.Smoothstep(-0.2, 0.6, up))
	half := view.Sun.Sub(ray).Normalize()
	shine := qd.Pow(max(n.Dot(half), 0), 180) * 1.6
	return seen.Lerp(sky, mirror).AddScalar(shine)
}

// framed is the colour of a pixel with the edges of the box, where nothing is before them.
func framed(view View, i, j int, depth []float32, glass []f32.Vec2, light f32.Vec3) f32.Vec3 {
	at := i*view.Width + j
	edge := glass[at]
	if edge.Y() > depth[at]+view.Radius {
		return display(light)
	}
	if edge.Y() > depth[view.Width*view.Height+at]+view.Radius {
		edge[0] *= 0.4
	}
	return display(light.Lerp(f32.Vec3{1, 1, 1}, 0.55*edge.X()))
}

// display brings light into the range of a screen.
func display(light f32.Vec3) f32.Vec3 {
	x := light.Scale(1.05)
	return x.Div(x.Scale(0.35).AddScalar(0.78)).Saturate().Pow(f32.Vec3Splat(1 / 2.2))
}
