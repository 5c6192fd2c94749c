// Package analysis computes facts about functions in SSA, without running them, for passes and
// printers.
//
// A fact is computed once. [Summaries] describes what each function does, including all of its
// callees. It visits callees before callers, and each function once, so no other code needs to walk
// into callees. Its work grows with the number of instructions, however deep calls are nested and
// however many calls lead to one function.
//
// Facts describe functions at the time of the question. A pass that changes a function must ask
// again.
package analysis
