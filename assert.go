package qd

// Assert fails the launch if cond does not hold, with a [*Fault] that shows msg. It
// does so on device "go" and in checked builds ([Device.Checked]); in others it does
// nothing. The message is constant.
func Assert(cond bool, msg string) {
	if !cond {
		panic(reason("assertion failed: " + msg))
	}
}
