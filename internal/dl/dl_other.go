//go:build !(((linux && !android) || (darwin && !ios)) && (amd64 || arm64)) || qdgo

package dl

// A Lib is an open shared library. On this platform there is never one.
type Lib struct{ path string }

// Supported is why no library can be opened.
func Supported() error { return ErrUnsupported }

// Open fails with an error that is ErrUnsupported.
func Open(path string) (*Lib, error) {
	return nil, &OpenError{Path: path, Reason: ErrUnsupported.Error(), err: ErrUnsupported}
}

// Path returns what the library was opened by.
func (l *Lib) Path() string { return l.path }

// Symbol fails.
func (l *Lib) Symbol(name string) (uintptr, error) {
	return 0, &SymbolError{Library: l.path, Name: name, Reason: ErrUnsupported.Error()}
}

// Bind fails.
func (l *Lib) Bind(fptr any, name string) error {
	_, err := l.Symbol(name)
	return err
}

// Close does nothing.
func (l *Lib) Close() error { return nil }

// Call3 panics, as Call does.
func Call3(*Direct) { Call(0) }

// Call panics: without an open library there is no address to call.
func Call(fn uintptr, args ...uintptr) uintptr {
	panic("BUG: dl.Call on a platform where no library can be opened")
}
