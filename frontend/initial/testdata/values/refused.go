package values

import "math"

// Values that nobody can tell from the source, or that depend on the version of Go.
var (
	turnSelf = func() int {
		var list []*node
		for c := (node{}); c.n < 3; c.n++ {
			list = append(list, c.self())
		}
		return list[0].n*100 + list[1].n*10 + list[2].n
	}()
	turnEmbedded = func() int {
		var list []*node
		for c := (outer{}); c.n < 3; c.n++ {
			list = append(list, c.self())
		}
		return list[0].n*100 + list[1].n*10 + list[2].n
	}()
	turnMethodValue = func() int {
		var list []func() *node
		for c := (outer{}); c.n < 3; c.n++ {
			list = append(list, c.self)
		}
		return list[0]().n*100 + list[1]().n*10 + list[2]().n
	}()
	turnRows = func() int {
		var list [][]int
		for a := [1]int{}; a[0] < 3; a[0]++ {
			list = append(list, a[:])
		}
		return list[0][0]
	}()
	turnField = func() int {
		var list [][]int
		for a := (struct{ x [2][1]int }{}); a.x[1][0] < 3; a.x[1][0]++ {
			list = append(list, a.x[1][:])
		}
		return list[0][0]
	}()
	signaling = func() uint32 {
		m := map[int]uint32{0: 0x7f800001}
		return math.Float32bits(math.Float32frombits(m[0]))
	}()
)

// Refused are those variables by their names.
func Refused() map[string]any {
	return map[string]any{
		"turnSelf": turnSelf, "turnEmbedded": turnEmbedded, "turnMethodValue": turnMethodValue,
		"turnRows": turnRows, "turnField": turnField, "signaling": signaling,
	}
}
