// Package target has the passes that lower a module for the device that runs it. [Outline] turns
// the parallel loops of a Grid kernel into launches. [HoistChecks] finds checks that a launch can
// decide for all of its threads. [Fission] turns the code of one thread into code for a whole
// block, for devices that run the threads of a block one after the other.
package target
