package analysis

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// edges are the facts that hold at one place, as a graph: there is an edge of length c from a to b if a <= b
// + c. Between two values there is at most one edge in each direction, the shortest. Edges are removed in
// reverse order.
type edges struct {
	above [][]Fact          // by the ID of a: the facts a <= v + c
	below [][]Fact          // by the ID of b: the facts v <= b + c
	at    map[question]edge // where they are in above and below
	log   []change
}

// A Fact is one side of a sum: a value, and the constant that is added to it.
type Fact struct {
	V *ssa.Value // nil for zero
	C int64
}

type question struct{ a, b *ssa.Value }

// An edge is the places of one fact in above[a] and in below[b].
type edge struct{ above, below int32 }

// A change is an entry of the undo log: an edge from a to b, which had the length before or is new; or the
// facts about the value a.
type change struct {
	kind   changeKind
	a, b   *ssa.Value
	before int64
}

type changeKind uint8

const (
	newEdge changeKind = iota
	shorterEdge
	newBool
	newNot0
	newOther
)

func (e *edges) id(v *ssa.Value) int {
	if v == nil {
		return len(e.above) - 1 // behind all values
	}
	return v.ID
}

// direct is the length of the edge from a to b.
func (e *edges) direct(a, b *ssa.Value) (c int64, ok bool) {
	at, ok := e.at[question{a, b}]
	if !ok {
		return 0, false
	}
	return e.above[e.id(a)][at.above].C, true
}

// connect records that a <= b + c.
func (e *edges) connect(a, b *ssa.Value, c int64) {
	q, i, j := question{a, b}, e.id(a), e.id(b)
	if at, ok := e.at[q]; ok {
		if old := e.above[i][at.above].C; c < old {
			e.length(i, j, at, c)
			e.log = append(e.log, change{shorterEdge, a, b, old})
		}
		return
	}
	e.at[q] = edge{int32(len(e.above[i])), int32(len(e.below[j]))}
	e.above[i] = append(e.above[i], Fact{b, c})
	e.below[j] = append(e.below[j], Fact{a, c})
	e.log = append(e.log, change{kind: newEdge, a: a, b: b})
}

func (e *edges) length(i, j int, at edge, c int64) {
	e.above[i][at.above].C, e.below[j][at.below].C = c, c
}

// disconnect undoes the last change of edges.
func (e *edges) disconnect(ch change) {
	q, i, j := question{ch.a, ch.b}, e.id(ch.a), e.id(ch.b)
	if ch.kind == shorterEdge {
		e.length(i, j, e.at[q], ch.before)
		return
	}
	e.above[i] = e.above[i][:len(e.above[i])-1]
	e.below[j] = e.below[j][:len(e.below[j])-1]
	delete(e.at, q)
}

// Some values have many facts, such as the length of a slice that is indexed a thousand times. A search then
// follows only the first and the last facts. It still finds an edge to its target, and a proof seldom needs
// more facts about one value.
const (
	firstFacts = 12
	lastFacts  = 20
)

// near are the facts of a list that a search follows: two parts of it.
func near(list []Fact) [2][]Fact {
	if len(list) <= firstFacts+lastFacts {
		return [2][]Fact{list}
	}
	return [2][]Fact{list[:firstFacts], list[len(list)-lastFacts:]}
}

// FactsAbove are the facts v <= w + c that are worth following, and factsBelow the facts w <= v + c.
func (e *edges) FactsAbove(v *ssa.Value) []Fact { return worthFollowing(e.above[v.ID]) }
func (e *edges) FactsBelow(v *ssa.Value) []Fact { return worthFollowing(e.below[v.ID]) }

func worthFollowing(list []Fact) []Fact {
	parts := near(list)
	return slices.Concat(parts[0], parts[1])
}
