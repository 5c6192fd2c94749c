package launch

import (
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"weak"
)

// A Watch is called before an array changes, and before one is set to its contents. It ends when nothing else refers to
// it.
type Watch struct {
	Before func(a *Array, c Change)
}

// A Change describes a change of an array.
type Change struct {
	By     string // the name of a kernel, or of a method
	All    bool   // each element gets a new value that does not depend on the old one
	Source *Array // the elements are set to those of this one; nil for none
}

var (
	watching atomic.Bool // whether there has ever been a Watch
	watched  sync.Mutex  // held while the watches on an array change
)

// Watch asks to be told of changes of the array and of its parts. The array is not a part itself. Changes that are
// announced with the same watch are left out.
func (a *Array) Watch(w *Watch) {
	watching.Store(true)
	a.setWatches(func(list []weak.Pointer[Watch]) []weak.Pointer[Watch] {
		if slices.Contains(list, weak.Make(w)) {
			return list
		}
		return append(list, weak.Make(w))
	})
}

// Unwatch ends a Watch.
func (a *Array) Unwatch(w *Watch) {
	a.setWatches(func(list []weak.Pointer[Watch]) []weak.Pointer[Watch] {
		return slices.DeleteFunc(list, func(p weak.Pointer[Watch]) bool { return p == weak.Make(w) })
	})
}

func (a *Array) setWatches(f func([]weak.Pointer[Watch]) []weak.Pointer[Watch]) {
	watched.Lock()
	defer watched.Unlock()
	var list []weak.Pointer[Watch]
	if old := a.watches.Load(); old != nil {
		list = slices.DeleteFunc(slices.Clone(*old), func(p weak.Pointer[Watch]) bool { return p.Value() == nil })
	}
	if list = f(list); len(list) == 0 {
		a.watches.Store(nil)
		return
	}
	a.watches.Store(&list)
}

// announce tells the watches on an array, except one, that the array is about to change. The watches on what it is set
// to are told too.
func (a *Array) announce(c Change, but *Watch) {
	if c.All && a.whole == nil {
		a.copied.Store(0)
	}
	list := a.watchers()
	if c.Source != nil {
		for _, p := range c.Source.watchers() {
			if !slices.Contains(list, p) {
				list = append(slices.Clip(list), p) // others have the same list
			}
		}
	}
	for _, p := range list {
		if w := p.Value(); w != nil && w != but {
			w.Before(a, c)
		}
	}
}

// copies counts the copies of arrays that have a gradient.
var copies atomic.Int64

// Copies is how many copies of arrays that have a gradient CopyArray has made so far, to other arrays.
func Copies() int64 { return copies.Load() }

// noteCopy notes that another array has been copied to this one.
func (a *Array) noteCopy(b *Array) {
	a, b = a.Whole(), b.Whole()
	switch {
	case b.grad.Load() != nil && a.dev.Same(b.dev):
		a.copied.Store(copies.Add(1))
	case b.copied.Load() > 0:
		a.copied.Store(max(a.copied.Load(), b.copied.Load()))
	}
}

// IsCopySince reports whether the array, or a part of it, is a copy of one that has a gradient, made after so many such
// copies. A tape that was not told of the copy does not know where the elements come from.
func (a *Array) IsCopySince(n int64) bool { return a.Whole().copied.Load() > n }

// watchers are the watches on the array that this one is a part of. The list is not to be changed.
func (a *Array) watchers() []weak.Pointer[Watch] {
	if list := a.Whole().watches.Load(); list != nil {
		return *list
	}
	return nil
}

// announce tells the watches on the arrays that a launch may write.
func announce(kernel any, v *variant, args []any) {
	if !watching.Load() || !slices.ContainsFunc(args, hasWatches) {
		return
	}
	k, err := kernelOf(kernel) // which may allocate
	if err != nil {
		return
	}
	k.eachArray(args, func(i int, a *Array) {
		if a.hasWatches() && v.writes(i) {
			a.announce(Change{By: k.Name()}, nil)
		}
	})
}

// hasWatches reports whether an argument may be an array with watches on it, or a struct with such arrays.
func hasWatches(arg any) bool {
	if a, ok := arrayOf(arg); ok {
		return a != nil && a.hasWatches()
	}
	t := reflect.TypeOf(arg)
	return t != nil && t.Kind() == reflect.Struct && holdsArrays(t)
}

func (a *Array) hasWatches() bool { return a.Whole().watches.Load() != nil }

// Announce tells the watches on the array that it is about to change.
func (a *Array) Announce(by string) { a.announce(Change{By: by}, nil) }

// NotRecording is the error of a launch in a function that Record has called.
func (d *Device) NotRecording() error { return d.notRecording() }
