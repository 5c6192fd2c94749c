// Package target has the passes that lower a module for the device that runs it. [Outline] makes
// launches of the parallel loops of a Grid kernel, [HoistChecks] finds checks that a launch can answer
// for all of its threads, and [Fission] makes code for a whole block of that for one thread, for
// devices that run the threads of a block one after the other.
package target
