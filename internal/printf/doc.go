// Package printf prints what kernels recorded with qd.Printf.
//
// A device does not format anything. A thread that prints appends a record to a
// buffer of 64-bit words: which format of its module it is, and the bits of each
// argument. When the launch has been waited for, the host walks over the records
// and formats them with Go's fmt, so that every verb means what it means in Go.
//
// A record is one word with the format's index in its lower and the number of
// arguments in its upper 32 bits, followed by a word for each argument. Threads
// reserve space by advancing a common counter; a record that does not fit wholly
// is dropped, and the counter goes on counting, by which the host sees the loss.
// Before a launch every word is [Unwritten], which begins no record: the host can
// tell the gap that a dropped record leaves at the end of the buffer from a record.
package printf
