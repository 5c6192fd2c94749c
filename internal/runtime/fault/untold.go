package fault

import (
	"cmp"
	"slices"
)

// Untold keeps the first errors of a stream's launches for those who wait, for the stream or for its device. A wait for the
// device may be anybody's, such as a copy from an array. So it leaves the error to the stream's own wait, but no other
// wait for the device fails because of it.
type Untold struct {
	stream Failed
	device Failed
}

// Failed is the error of a launch, nil for none.
type Failed struct {
	Err    error
	Launch int64 // its number, among all of its device in the order in which they were submitted
}

// Add notes the error of a launch. Those who note errors may come to the launches in any order.
func (u *Untold) Add(f Failed) {
	u.stream = u.stream.first(f)
	u.device = u.device.first(f)
}

// first is that of two errors whose launch was submitted first. Launches of one number, those of a graph, are noted in
// their order.
func (f Failed) first(other Failed) Failed {
	if f.Err == nil || other.Err != nil && other.Launch < f.Launch {
		return other
	}
	return f
}

// ToStream is the error for those who have waited for the stream. It is not returned again.
func (u *Untold) ToStream() error {
	err := u.stream.Err
	*u = Untold{}
	return err
}

// ToDevice is the error for those who have waited for the device. It does not return it again.
func (u *Untold) ToDevice() Failed {
	f := u.device
	u.device = Failed{}
	return f
}

// ToBoth is the error for those who have waited for the device, of a stream that nobody waits for otherwise. It is not
// returned again.
func (u *Untold) ToBoth() Failed {
	f := u.device
	*u = Untold{}
	return f
}

// ForDevice reports whether ToDevice has an error to return.
func (u *Untold) ForDevice() bool { return u.device.Err != nil }

// OfDevice are the errors that someone is told who has waited for a device: those of its streams, in the order of their
// launches.
func OfDevice(list []Failed) (errs []error) {
	list = slices.DeleteFunc(list, func(f Failed) bool { return f.Err == nil })
	slices.SortStableFunc(list, func(a, b Failed) int { return cmp.Compare(a.Launch, b.Launch) })
	for _, f := range list {
		errs = append(errs, f.Err)
	}
	return errs
}
