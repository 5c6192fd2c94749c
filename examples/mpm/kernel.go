package main

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/i32"
)

//go:generate go run github.com/qdgen/qd/cmd/qdgen gen

// What particles are made of.
const (
	water int32 = iota
	jelly
	snow
)

// A particle carries a piece of material through the grid.
type particle struct {
	X, V  f32.Vec3 // position and velocity
	C     f32.Mat3 // how the velocity changes around it
	F     f32.Mat3 // how the piece is deformed: the gradient of where it went by where it was
	Jp    float32  // snow: how much of its volume it has lost for good
	Kind  int32
	Shade float32 // a little lighter or darker than others, when it is drawn
}

// A World is the size of the grid and the constants of the materials.
type World struct {
	N         i32.Vec3 // nodes along each axis; y is up
	DX        float32  // from node to node
	DT        float32  // of a step
	Gravity   float32
	Stiffness [3]float32 // Young's modulus of each material
}

// step takes steps of the material point method in the form of Hu et al., "A Moving
// Least Squares Material Point Method" (2018). Particles hand their mass and momentum
// to the 27 nodes around them, the nodes move for a moment as if they were the
// material, and the particles take up the velocity they find. A node is its momentum,
// later its velocity, and in the fourth place its mass.
//
// Particles of a chunk that are in one cell go to the nodes together: by as many
// atomic operations as one of them. [order] makes neighbours of them.
//
//qd:kernel
func step(g qd.Grid, w World, chunk qd.Const[int], steps int, ps []particle, nodes []f32.Vec4) {
	for range steps {
		g.For(len(nodes), func(i int) { nodes[i] = f32.Vec4{} })
		g.For(qd.CeilDiv(len(ps), chunk.V), func(i int) {
			scatter(w, ps[i*chunk.V:min((i+1)*chunk.V, len(ps))], nodes)
		})
		g.For(len(nodes), func(i int) { nodes[i] = moved(w, i, nodes[i]) })
		g.For(len(ps), func(i int) { gather(w, &ps[i], nodes) })
	}
}

// order copies the particles to sorted, those of a cell after those of the cell before:
// a counting sort. places has an element for each node.
//
//qd:kernel
func order(g qd.Grid, w World, ps, sorted []particle, places []int32, rows []int32) {
	row := len(places) / len(rows)
	g.For(len(places), func(i int) { places[i] = 0 })
	g.For(len(ps), func(i int) { qd.AtomicAdd(&places[w.cell(ps[i].X)], 1) })
	// From how many there are in each cell to where they begin: along every row of
	// cells, then from row to row.
	g.For(len(rows), func(i int) {
		sum := int32(0)
		for k, n := range places[i*row : (i+1)*row] {
			places[i*row+k] = sum
			sum += n
		}
		rows[i] = sum
	})
	sum := int32(0)
	for i, n := range rows {
		rows[i] = sum
		sum += n
	}
	g.For(len(ps), func(i int) {
		cell := w.cell(ps[i].X)
		sorted[rows[cell/row]+qd.AtomicAdd(&places[cell], 1)] = ps[i]
	})
}

// cell is the index of the node from which a particle's nodes begin.
func (w World) cell(x f32.Vec3) int {
	base, _, _ := around(w, x)
	return w.index(base)
}

// around is the first of the nodes around a point, where the point is from there, in
// nodes, and the weights of three nodes along each axis: a quadratic spline.
func around(w World, x f32.Vec3) (base i32.Vec3, at f32.Vec3, weights [3]f32.Vec3) {
	x = x.Scale(1 / w.DX)
	base = i32.Vec3From(x.SubScalar(0.5))
	at = x.Sub(f32.Vec3From(base))
	left, mid, right := at.Neg().AddScalar(1.5), at.SubScalar(1), at.SubScalar(0.5)
	weights[0] = left.Mul(left).Scale(0.5)
	weights[1] = mid.Mul(mid).Neg().AddScalar(0.75)
	weights[2] = right.Mul(right).Scale(0.5)
	return base, at, weights
}

// index is the place of a node among all.
func (w World) index(node i32.Vec3) int {
	return (int(node.X())*int(w.N.Y())+int(node.Y()))*int(w.N.Z()) + int(node.Z())
}

// mass is that of a particle: its volume, an eighth of a cell's, at density 1.
func (w World) mass() float32 { return w.DX * w.DX * w.DX / 8 }

// scatter adds the mass and the momentum of particles to the nodes around them, the push
// of their stress included.
func scatter(w World, ps []particle, nodes []f32.Vec4) {
	var sums [9][3]f32.Vec4
	from := -1 // the first of the nodes that the sums are for
	for i := range ps {
		p := &ps[i]
		base, at, weights := around(w, p.X)
		if first := w.index(base); first != from {
			// The next cell shares two thirds of its nodes with this one.
			for n := 0; n < 3 && from >= 0 && from != first; n++ {
				deliver(w, from, &sums, nodes)
				from++
			}
			from = first
		}
		p.F = p.F.Add(p.C.Mul(p.F).Scale(w.DT))
		push := deform(w, p).Scale(-w.DT * w.mass() * 4 / (w.DX * w.DX))
		affine := push.Add(p.C.Scale(w.mass())).Scale(w.DX)
		x, y, z := affine.Col(0), affine.Col(1), affine.Col(2)
		corner := p.V.Scale(w.mass()).Sub(affine.MulVec(at))
		for i := range 3 {
			for j := range 3 {
				edge := corner.Add(x.Scale(float32(i))).Add(y.Scale(float32(j)))
				weight := weights[i].X() * weights[j].Y()
				for k := range 3 {
					node := edge.Add(z.Scale(float32(k))).Extend(w.mass())
					sums[3*i+j][k] = sums[3*i+j][k].Add(node.Scale(weight * weights[k].Z()))
				}
			}
		}
	}
	for n := range 3 {
		deliver(w, from+n, &sums, nodes)
	}
}

// deliver adds the first third of the sums to the nodes that they are for, which begin with
// node from, and moves the others up.
func deliver(w World, from int, sums *[9][3]f32.Vec4, nodes []f32.Vec4) {
	for i := range 9 {
		node := &nodes[from+w.index(i32.Vec3{int32(i / 3), int32(i % 3), 0})]
		for part := range 4 {
			qd.AtomicAdd(&node[part], sums[i][0][part])
		}
		sums[i] = [3]f32.Vec4{sums[i][1], sums[i][2]}
	}
}

// deform gives the stress of a particle (Kirchhoff's, of the fixed corotated model), and
// what its material does to the deformation: water forgets its shape, snow yields.
func deform(w World, p *particle) f32.Mat3 {
	const poisson = 0.2
	young := w.Stiffness[p.Kind]
	mu := young / (2 * (1 + poisson))
	lambda := young * poisson / ((1 + poisson) * (1 - 2*poisson))
	one := f32.Mat3Identity()
	switch p.Kind {
	case water:
		volume := p.F.Det()
		p.F = one.Scale(qd.Cbrt(volume))
		return one.Scale(lambda * volume * (volume - 1))

	case snow:
		// What is stretched or squeezed too far stays so, and snow hardens where it
		// is squeezed (Stomakhin et al., "A material point method for snow
		// simulation", 2013).
		u, stretch, v := p.F.SVD()
		kept := stretch.ClampScalar(1-0.025, 1+0.0045)
		p.Jp *= stretch.Product() / kept.Product()
		p.F = u.Mul(f32.Mat3Diag(kept)).Mul(v.Transpose())
		hardness := qd.Exp(min(10*(1-p.Jp), 2))
		return corotated(p.F, u.Mul(v.Transpose()), kept.Product(), mu*hardness, lambda*hardness)
	}
	turn, _ := p.F.Polar()
	return corotated(p.F, turn, p.F.Det(), mu, lambda)
}

// corotated is the stress of a deformation f with its rotation and its volume.
func corotated(f, turn f32.Mat3, volume, mu, lambda float32) f32.Mat3 {
	shape := f.Sub(turn).Mul(f.Transpose()).Scale(2 * mu)
	return shape.Add(f32.Mat3Identity().Scale(lambda * volume * (volume - 1)))
}

// wall is the width of the walls, in nodes.
const wall = 3

// inside is the nearest point that has nodes on all sides.
func (w World) inside(x f32.Vec3) f32.Vec3 {
	low, high := f32.Vec3Splat(wall-1), f32.Vec3From(w.N.SubScalar(wall))
	return x.Clamp(low.Scale(w.DX), high.Scale(w.DX))
}

// moved is a node after the step: with its velocity in place of its momentum, gravity,
// and nothing that goes into a wall.
func moved(w World, i int, node f32.Vec4) f32.Vec4 {
	mass := node.W()
	if mass == 0 {
		return node
	}
	v := node.XYZ().Scale(1 / mass).Sub(f32.Vec3{0, w.DT * w.Gravity, 0})
	ny, nz := int(w.N.Y()), int(w.N.Z())
	at := i32.Vec3{int32(i / (ny * nz)), int32(i / nz % ny), int32(i % nz)}
	low := at.Less(i32.Vec3Splat(wall)).And(v.Less(f32.Vec3{}))
	high := at.Greater(w.N.SubScalar(wall + 1)).And(v.Greater(f32.Vec3{}))
	v = v.Where(low.Or(high).Not(), f32.Vec3{})
	return v.Extend(mass)
}

// gather moves a particle with the nodes around it, and takes up how their velocity
// changes.
func gather(w World, p *particle, nodes []f32.Vec4) {
	base, at, weights := around(w, p.X)
	var v f32.Vec3
	var c f32.Mat3
	for i := range 3 {
		for j := range 3 {
			row := nodes[w.index(base.Add(i32.Vec3{int32(i), int32(j), 0})):]
			for k := range 3 {
				weight := weights[i].X() * weights[j].Y() * weights[k].Z()
				there := row[k].XYZ().Scale(weight)
				v = v.Add(there)
				c = c.Add(f32.Mat3Outer(there, f32.Vec3{float32(i), float32(j), float32(k)}.Sub(at)))
			}
		}
	}
	p.V = v
	p.C = c.Scale(4 / w.DX)
	p.X = w.inside(p.X.Add(v.Scale(w.DT)))
}
