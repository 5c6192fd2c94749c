// Package tune finds the fastest of several configurations of a kernel by measuring them.
//
// A configuration is a value for one of the kernel's compile-time parameters. The first run for a key, which is made
// of shapes and values of arguments, builds all configurations and times them on the real arguments, in turns. The
// time of a configuration is the median of its runs. Before each run the memory that the kernel may write is put back,
// so a kernel may work in place. The times are kept as a note in the cache, one for each kernel, device and key, with
// the code that was measured: an edited kernel is measured again, and a new configuration measures only itself.
package tune
