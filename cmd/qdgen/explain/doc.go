// Package explain shows what kernels become on one HTML page, from the Go source to machine code.
//
// [Gather] takes a kernel through the pipelines of package compile and the compilers at their ends, and gathers a [Kernel]: the text
// after each stage with the place in the Go source that each line comes from, and what the compiler's own passes say about the code. A
// [Model] is what is gathered of several kernels. It is data: it can be written as JSON, and read by another process, as when two
// revisions of a program are compared.
//
// [Page] renders one model, or two versions beside each other, as a file that needs no network. Its scripts and styles are in assets.
// What the page says about a kernel comes from the model: the page computes nothing but differences between texts.
//
//	model    what is gathered
//	gather   the units, the stages and their texts
//	jobs     the compilers, which run beside each other
//	native   what the compilers make: assembly, PTX, machine code
//	inlined  the calls that assembly has come by
//	facts    what is known of values and accesses
//	sources  the Go source
//	colour   syntax colours
//	page     the file
//	clock    what processor time goes into
package explain
