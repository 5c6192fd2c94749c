// Package narrow makes the version of a kernel that computes indices in 32 bits, for small launches ([ssa.SmallLimit]). Go's int has
// 64 bits. A GPU computes in 32, so that an addition of 64 bits takes two instructions, a comparison two, and a multiplication
// four.
//
// What a value is, stays: to the bit, in all launches that are small. There are two reasons to keep it in 32 bits.
//
//   - It is proven to be within int32: indices of threads, sizes of launches and lengths of slices are, and what is computed of
//     them as far as intervals tell. It may be compared and divided in 32 bits, and is extended where 64 are asked for.
//   - Nobody asks for more than its low 32 bits. Sums, differences, products, and operations on bits have the same low
//     bits in any width. The index of an element is such a question: it is less than a length, which is small, or a program has
//     no meaning; in checked builds the check stands before, and asks for all 64.
//
// All other values stay as they are.
package narrow
