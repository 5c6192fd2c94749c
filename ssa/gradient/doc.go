// Package gradient makes the backward kernel of a kernel, and its tangent kernel: reverse-mode and forward-mode differentiation as a
// step from SSA to SSA. The backward kernel is a kernel like any other. It is optimized, printed and compiled like
// the kernel that it comes from, and it keeps the Go statements.
//
// The parameters of the backward kernel are those of the kernel, and then, for each slice or view of
// floats, a slice or view of its gradient. A thread of it differentiates what the thread of the same index
// does. [Of] works in these steps:
//
//   - Calls are replaced by the bodies of the functions (opt.Inline), but for functions with derivatives of their own.
//   - structure.go gives the kernel one way through: break, continue and return become conditions and
//     variables of loops, so that each block runs to its end and each loop ends by its test.
//   - choose.go has accesses to slices that a condition chooses be chosen by the condition.
//   - turns.go counts the turns of loops.
//   - memory.go finds which parameter or variable each address lies in, and what is done to it.
//   - activity.go finds the active values: those that depend on the memory of floats, and that such memory
//     depends on. Others have no derivative that anybody asks for.
//   - sweep.go makes the body. The forward sweep computes the values again. The reverse sweep goes
//     through the same blocks from the last instruction to the first, and adds up what each value contributes,
//     its adjoint. An If becomes an If on the same condition. A loop becomes a loop of as many turns,
//     backward.
//
// # What is kept, and what is computed again
//
// The reverse sweep needs some values of the forward sweep: factors of products, indices, conditions
// ("to be recorded" in Hascoët and Pascual, "The Tapenade automatic differentiation tool", 2013). It asks for each
// of them by primal.go. A value in straight code is still there. A value inside of a branch or a loop is
// computed again if it follows from others by pure operations, by loads from memory that the kernel never
// writes, or from the number of the turn. Else it is kept. From a branch, it comes as one more result of the
// If. In each turn of a loop, it is pushed on a stack of the thread, from which the reverse loop
// pops it (Griewank and Walther, "Evaluating Derivatives", 2008, chapters 3 and 4).
//
// There is one stack for each type. It is a local array if the kernel bounds its height by a small constant.
// Else it is memory of the launch: one more parameter. [Backward.Count] then is a kernel that finds how
// high the stack of each thread becomes.
//
// # What the adjoints are
//
// A store v to a[i] takes the gradient of a[i] for v's adjoint, and sets it to zero. A load of a[i] adds the
// adjoint of its result to the gradient of a[i]. So a slice that is written in place has the right gradient. The addition
// is atomic if another thread may add to the same element. It is a plain one if all accesses of all threads are at
// multiples of the thread's index, so that each element has one thread.
//
// The forward sweep needs arrays that a kernel both reads and writes as they were before the launch, and
// writes them again: whoever runs the backward kernel gives it copies ([Backward.Copies]). What is only written
// is not written again, nor where nothing that the reverse sweep needs is read.
//
// Enzyme (Moses and Churavy, "Instead of rewriting foreign code for machine learning, automatically synthesize fast
// gradients", 2020) does the same to LLVM's control-flow graphs: shadow addresses, activity, a cache. Structured
// control flow makes the reverse of a region a region.
//
// An atomic minimum or maximum gives the gradient to the value that the element has become, which is read after the launch
// ([Backward.After]). A barrier is one in both sweeps, and shared memory has a twin for its gradient: see barrier.go.
//
// Of a Grid kernel, the sweeps go over the host's part as over the code of one thread, and over the parallel loops as launches:
// see grid.go. Slices have twins for their gradients there: see twin.go. Of a Block kernel, the code of its threads is differentiated:
// see block.go.
//
// A call of a function with a derivative of its own ([ssa.Gradient]) stays a call: see own.go. So do conversions of floats of 16 bits,
// whose adjoints are such floats too: see half.go.
//
// # Tangents
//
// The tangent kernel goes forward (Griewank and Walther, chapter 3.1). It is the kernel, of any shape, with the tangent of each float that
// varies computed beside it: see tangent.go. It uses the same derivatives. Each rule of rules.go says what an operand's adjoint gets
// of a result's adjoint, and is linear in that: with the operand's tangent in the adjoint's place, it says what the result's
// tangent gets of it (pushforward.go).
//
// # What is refused
//
// What has a derivative that this package does not make is refused with its position ([Refused]), never given
// a zero in silence. Integers and bools are constants: a conversion of a float to an integer has the
// derivative zero, as it has almost everywhere. Bits of floats that become floats again are refused.
package gradient
