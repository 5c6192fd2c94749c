package e2e

// runHelper is what a test binary does first that a test has started to be something
// else.
var runHelper = func() {}
