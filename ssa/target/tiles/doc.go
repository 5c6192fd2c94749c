// Package tiles turns tiles into memory of a block and loops over its lanes.
//
// A tile that is worth it has no memory: the operation that makes it is done again where its elements are used (see virtual.go and sink.go), so that a
// chain of operations element by element is one loop. Other tiles have memory that the threads of the block share; tiles
// that are not needed at the same time have the same memory. The operations become OpFors over their
// elements. Variables of loops and results of ifs have memory of their own, and values are copied there where
// paths meet, unless they can be made in place.
//
// For a machine with vectors, products are computed in them: see product.go. What reads a matrix along its columns reads squares of
// it by rows, and exchanges the numbers within registers: see columns.go.
//
// For a machine whose threads have registers of their own, products are computed there, and what is computed from them
// element by element stays there: see spread.go. Their operands are copied row by row: see rows.go. A loop over
// products may have several stages: turns copy what later turns multiply: see pipeline.go.
//
// The order of operations that give a result is that of the language: see package tile. It does not depend on what is decided
// here, so that all targets have the same results, but for the products of which the language leaves it open.
package tiles
