// Package gradient makes the backward kernel of a kernel, and its tangent kernel: reverse-mode and
// forward-mode differentiation as a step from SSA to SSA. The backward kernel is a kernel like any
// other. It is optimized, printed and compiled like the kernel that it comes from, and it keeps the Go
// statements.
//
// The parameters of the backward kernel are those of the kernel, then a gradient for each slice or view
// of floats. Each of its threads differentiates the thread with the same index. [Of] works in these
// steps:
//
//   - Calls are replaced by the bodies of the functions (opt.Inline), except calls of functions with
//     derivatives of their own.
//   - structure.go gives the kernel one way through: break, continue and return become conditions and
//     variables of loops, so that each block runs to its end and each loop ends by its test.
//   - choose.go turns an access to a slice that a condition chooses into accesses under the condition.
//   - turns.go counts the iterations of loops.
//   - memory.go finds the parameter or variable that each address points into, and what is done to it.
//   - activity.go finds the active values: they depend on the memory of floats, and such memory depends
//     on them. Other values need no derivative.
//   - sweep.go makes the body. The forward sweep computes the values again. The reverse sweep goes
//     through the same blocks from the last instruction to the first, and adds up the adjoint of each
//     value. An If becomes an If on the same condition. A loop becomes a loop with the same number of
//     iterations, backward.
//
// # What is kept, and what is computed again
//
// The reverse sweep needs some values of the forward sweep: factors of products, indices, conditions
// ("to be recorded" in Hascoët and Pascual, "The Tapenade automatic differentiation tool", 2013). It asks
// primal.go for each of them. A value in straight-line code still exists. A value inside a branch or a
// loop is computed again if it follows from others by pure operations, by loads from memory that the
// kernel never writes, or from the number of the iteration. Otherwise it is kept. A branch returns it as
// one more result of the If. A loop pushes it, in each iteration, on a stack of the thread, and the
// reverse loop pops it (Griewank and Walther, "Evaluating Derivatives", 2008, chapters 3 and 4).
// How often a loop runs that counts up to a bound is computed again, also where the threads of a block
// share the numbers up to there: each of them takes steps as long as the block.
//
// There is one stack for each type. It is a local array if a small constant limits its height.
// Otherwise it is memory of the launch: one more parameter. The kernel [Backward.Count] then finds how
// high the stack of each thread becomes.
//
// With [Options.Strip], a long loop pushes for the turns of one strip at a time, which runs once more: see
// strip.go ("stripmining" in Griewank and Walther, chapter 12).
//
// # What the adjoints are
//
// A store of v to a[i] takes the gradient of a[i] as the adjoint of v, and sets the gradient to zero. A
// load of a[i] adds the adjoint of its result to the gradient of a[i]. So the gradient of a slice that is
// written in place is right. The addition is atomic if another thread may add to the same element. It is
// plain if all accesses of all threads are at multiples of the thread's index: then each element belongs
// to one thread.
//
// The adjoint of a value is a value, too. That of an array of which elements are read at indices that are not
// known here is in memory, so that what adds to one element costs as much as one element: see tally.go.
//
// If the threads that add to an element are a few neighbours, as in a stencil, another kernel gathers what
// they add, with plain additions: see gather.go, and stencil.go for how such elements are found.
//
// If a kernel both reads and writes an array, the forward sweep needs the array as it was before the
// launch, and writes it again. The caller gives the backward kernel copies ([Backward.Copies]). An array
// that is only written is not written again. Neither is one from which the reverse sweep needs no value.
//
// Enzyme (Moses and Churavy, "Instead of rewriting foreign code for machine learning, automatically
// synthesize fast gradients", 2020) does the same to LLVM's control-flow graphs: shadow addresses,
// activity, a cache. Structured control flow makes the reverse of a region a region.
//
// An atomic minimum or maximum gives the gradient to the new value of the element, which is read after
// the launch ([Backward.After]). A barrier is a barrier in both sweeps. Shared memory has a twin for its
// gradient: see barrier.go.
//
// In a Grid kernel, the sweeps treat the host's part like the code of one thread, and the parallel loops
// as launches: see grid.go. Slices have twins for their gradients: see twin.go. In a Block kernel, the
// code of its threads is differentiated: see block.go.
//
// A call of a function with a derivative of its own ([ssa.Gradient]) stays a call: see own.go. A
// conversion of a 16-bit float stays too, and its adjoint is a 16-bit float: see half.go.
//
// A backward kernel has no checks. In checked builds there is another kernel, which does nothing but the checks of the
// kernel: see checks.go.
//
// # Tangents
//
// The tangent kernel goes forward (Griewank and Walther, chapter 3.1). It is the kernel itself, of any
// shape, and also computes the tangent of each float that varies: see tangent.go. It uses the same rules.
// A rule in rules.go gives the part of an operand's adjoint that comes from a result's adjoint, and is
// linear in the latter. If the operand's tangent takes that place, the rule gives the part of the
// result's tangent that comes from the operand (pushforward.go).
//
// # What is refused
//
// If this package cannot make a derivative, it refuses the code with its position ([Refused]). It never
// takes zero instead. Integers and bools are constants: a conversion of a float to an integer has the
// derivative zero, which is right almost everywhere. Bits of floats that become floats again are refused.
package gradient
