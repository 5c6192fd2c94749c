// Package printf prints what kernels recorded with qd.Printf.
//
// A device formats nothing. A thread that prints appends a record to a buffer of 64-bit words: the
// index of the format in its module, and the bits of each argument. After the launch has ended, the
// host reads the records and formats them with Go's fmt, so that every verb means what it means in
// Go.
//
// A record is one word with the format's index in its lower and the number of arguments in its
// upper 32 bits, followed by a word for each argument. Threads reserve space by advancing a common
// counter. A record that does not fit wholly is dropped, but the counter still advances, so that
// the host can see the loss. Before a launch every word is [Unwritten], which begins no record. So
// the host can distinguish a record from the gap that a dropped record leaves at the end of the
// buffer.
package printf
