package fault

// Untold keeps the first errors of a stream's launches for who waits: for the stream, or for its device. A wait for the
// device may be anybody's, such as a copy from an array. So it leaves the error to the stream's own wait, but no other
// wait for the device fails because of it.
type Untold struct {
	stream error // nil for none, as below
	device error
}

// Add notes the error of a launch, nil for none.
func (u *Untold) Add(err error) {
	if u.stream == nil {
		u.stream = err
	}
	if u.device == nil {
		u.device = err
	}
}

// ToStream is the error for who has waited for the stream. Nobody is told of it again.
func (u *Untold) ToStream() error {
	err := u.stream
	*u = Untold{}
	return err
}

// ToDevice is the error for who has waited for the device. Who waits for the device is not told of it again.
func (u *Untold) ToDevice() error {
	err := u.device
	u.device = nil
	return err
}

// ForDevice reports whether who waits for the device has something to be told of.
func (u *Untold) ForDevice() bool { return u.device != nil }
