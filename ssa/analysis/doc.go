// Package analysis has the facts that passes and printers ask for about functions in SSA: what is
// known without running them.
//
// A fact is computed once. [Summaries] knows what each function does, as a whole, with all that it
// calls; it looks at callees before callers and at each function once, so that nobody else
// walks into callees. Its work grows with the number of instructions, however deep calls
// are nested and however many lead to one function.
//
// Facts hold for the functions as they are when they are asked for. A pass that changes a function
// asks anew.
package analysis
