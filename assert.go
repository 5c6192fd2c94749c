package qd

// Assert fails the launch if cond does not hold, with a [*Fault] that shows msg. It
// does so on device "go" and in checked builds ([Device.Checked]); in others it does
// nothing. The message is constant.
func Assert(cond bool, msg string) {
	if !cond {
		panic(assertion(msg))
	}
}

// assertion is what a failed Assert panics with.
type assertion string

// Error implements error.
func (a assertion) Error() string { return "assertion failed: " + string(a) }
