// Package explain shows what kernels become on one HTML page, from the Go source to machine code.
//
// [Gather] takes a kernel through the pipelines of package compile and through the compilers, and makes a
// [Kernel]: the text after each stage, the place in the Go source of each line, and the remarks of the
// passes. A [Model] has several kernels. It is data: it can be written as JSON and read by another
// process, for example to compare two revisions of a program.
//
// [Page] renders one model, or two versions beside each other, as a file that needs no network. Its
// scripts and styles are in assets. All facts on the page come from the model: the page computes only
// differences between texts.
//
//	model    what is gathered
//	gather   the units, the stages and their texts
//	jobs     the compilers, which run beside each other
//	native   what the compilers make: assembly, PTX, machine code
//	inlined  the inlined calls that a line of assembly comes from
//	facts    facts about values and accesses
//	sources  the Go source
//	colour   syntax colours; colourgo those of Go
//	page     the file
//	clock    what takes the processor time
package explain
