package fault

// Untold keeps the first errors of a stream's launches for those who wait, for the stream or for its device. A wait for the
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

// ToStream is the error for those who have waited for the stream. It is not returned again.
func (u *Untold) ToStream() error {
	err := u.stream
	*u = Untold{}
	return err
}

// ToDevice is the error for those who have waited for the device. It does not return it again.
func (u *Untold) ToDevice() error {
	err := u.device
	u.device = nil
	return err
}

// ForDevice reports whether ToDevice has an error to return.
func (u *Untold) ForDevice() bool { return u.device != nil }
