package initial

// SetIntSize has ints as many bits as they have on another machine, until the test ends.
func SetIntSize(bits int) (restore func()) {
	old := intSize
	intSize = bits
	return func() { intSize = old }
}
