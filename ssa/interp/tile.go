package interp

import "github.com/qdgen/qd/ssa"

// A tile is in its place as it is in memory: its elements one after the other.

// tile compiles what has to do with tiles, else gives nil.
func (c *compiler) tile(in *ssa.Instr) step {
	switch in.Op {
	case ssa.OpTileMake:
		return c.tileMake(in)
	case ssa.OpTileAt:
		t, d, x := in.Args[0].Type.(ssa.TileType), c.at(in.Result()), c.at(in.Args[0])
		size := t.Elem.Size()
		return plain(func(fr *frame) {
			flat := 0
			for axis, n := range t.Dims {
				i := int(fr.get(c.at(in.Args[1+axis])))
				if n == 1 {
					i = 0
				}
				flat = flat*n + i
			}
			fr.setBytes(d, t.Elem, fr.b[x+flat*size:x+(flat+1)*size])
		})
	case ssa.OpTileReduce, ssa.OpTileScan:
		return c.tileJoin(in)
	case ssa.OpTileDot:
		return c.tileDot(in)
	case ssa.OpMultiply:
		return c.multiply(in)
	}
	return nil
}

func (c *compiler) tileMake(in *ssa.Instr) step {
	body := in.Blocks[0]
	code := c.block(body)
	t, d := in.Result().Type.(ssa.TileType), c.at(in.Result())
	size := t.Elem.Size()
	return plain(func(fr *frame) {
		for flat := range t.Len() {
			rest := flat
			for axis := 2; axis >= 0; axis-- {
				fr.set(c.at(body.Params[axis]), uint64(rest%t.Dims[axis]))
				rest /= t.Dims[axis]
			}
			code.run(fr)
			v := c.at(body.Terminator().Args[0])
			copy(fr.b[d+flat*size:d+(flat+1)*size], fr.b[v:v+size])
		}
	})
}

// tileJoin compiles a reduction or a scan.
func (c *compiler) tileJoin(in *ssa.Instr) step {
	body, n := in.Blocks[0], len(in.Args)
	code := c.block(body)
	first := in.Args[0].Type.(ssa.TileType)
	lines, inner := first.Dims[in.Axis], 1
	for _, m := range first.Dims[in.Axis+1:] {
		inner *= m
	}
	return plain(func(fr *frame) {
		work := make([][]byte, n)
		for i, a := range in.Args {
			work[i] = append([]byte(nil), fr.b[c.at(a):c.at(a)+a.Type.Size()]...)
		}
		// join joins what is in two places of the work, to a third one.
		join := func(x, y, to int) {
			for i, a := range in.Args {
				elem := a.Type.(ssa.TileType).Elem
				fr.setBytes(c.at(body.Params[i]), elem, work[i][x*elem.Size():(x+1)*elem.Size()])
				fr.setBytes(c.at(body.Params[n+i]), elem, work[i][y*elem.Size():(y+1)*elem.Size()])
			}
			code.run(fr)
			for i, v := range body.Terminator().Args {
				size := v.Type.Size()
				copy(work[i][to*size:(to+1)*size], fr.b[c.at(v):c.at(v)+size])
			}
		}
		for o := 0; o < first.Len(); o += lines * inner {
			for k := range inner {
				at := func(p int) int { return o + p*inner + k }
				if in.Op == ssa.OpTileScan {
					for p := 1; p < lines; p++ {
						join(at(p-1), at(p), at(p))
					}
					continue
				}
				for left := lines; left > 1; {
					half := 1
					for 2*half < left {
						half *= 2
					}
					for p := half; p < left; p++ {
						join(at(p-half), at(p), at(p-half))
					}
					left = half
				}
			}
		}
		for i, r := range in.Results {
			d := c.at(r)
			if in.Op == ssa.OpTileScan {
				copy(fr.b[d:], work[i])
				continue
			}
			size := inner * r.Type.(ssa.TileType).Elem.Size()
			for o := range first.Len() / lines / inner {
				copy(fr.b[d+o*size:d+(o+1)*size], work[i][o*lines*size:])
			}
		}
	})
}

func (c *compiler) tileDot(in *ssa.Instr) step {
	t := in.Result().Type.(ssa.TileType)
	m, n, depth, size := t.Dims[1], t.Dims[2], in.Args[0].Type.(ssa.TileType).Dims[2], t.Elem.Size()
	x, y, z, d := c.at(in.Args[0]), c.at(in.Args[1]), c.at(in.Args[2]), c.at(in.Result())
	multiplyAdd := multiplyAdder(t.Elem)
	return plain(func(fr *frame) {
		get := func(at, i int) uint64 { return extend(t.Elem.(ssa.Basic), word(fr.b[at+i*size:at+(i+1)*size])) }
		for i := range m {
			for j := range n {
				sum := get(z, i*n+j)
				for k := range depth {
					sum = multiplyAdd(get(x, i*depth+k), get(y, k*n+j), sum)
				}
				for p := range size {
					fr.b[d+(i*n+j)*size+p] = byte(sum >> (8 * p))
				}
			}
		}
	})
}
