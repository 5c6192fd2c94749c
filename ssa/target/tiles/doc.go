// Package tiles turns tiles into memory of a block and loops over its lanes.
//
// A tile needs no memory if it is cheaper to compute its elements again where they are used (see
// virtual.go and sink.go). So a chain of operations element by element becomes one loop. Other tiles
// are in memory that the threads of the block share. Two tiles use the same memory if they are not
// needed at the same time. The operations become OpFors over the elements. Variables of loops and
// results of ifs have memory of their own. Values are copied there where paths meet, unless they can be
// computed in place.
//
// On a machine with vectors, products are computed in vectors: see product.go. What they are added to is
// computed in vectors too, where the product begins: see side.go. Code that reads a matrix along its
// columns reads squares of it by rows, and exchanges the numbers in registers: see columns.go.
//
// On a machine whose threads have registers of their own, products are computed in these registers, and
// values that are computed from products element by element stay there: see spread.go. The operands
// are copied row by row: see rows.go. A loop over products can have several stages: an iteration then
// copies the operands of a later iteration, see pipeline.go.
//
// The language defines the order of the operations that give a result: see package tile. The order does
// not depend on the decisions of this package, so all targets have the same results, except for the
// products whose order the language leaves open.
package tiles
