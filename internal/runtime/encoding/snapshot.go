package encoding

import (
	"errors"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/qdgen/qd/frontend/comptime"
)

// maxNested is how many slices and pointers may lead to one another.
const maxNested = 100

// Snapshot copies the value of a variable, with all that slices and pointers in it lead to, and appends the comparisons
// of the variable with the copy to a list. They tell of a change wherever it is: in the variable, which may lead to
// other memory by now, and in the memory that it led to. The value must be addressable. The error says what in it
// cannot be copied.
func Snapshot(list []Comparison, v reflect.Value) (copied reflect.Value, all []Comparison, err error) {
	s := snapshot{list: list}
	copied = reflect.New(v.Type()).Elem()
	err = s.take(v, copied, 0)
	if s.values > comptime.MaxValues {
		err = comptime.TooMany(v.Type())
	}
	return copied, s.list, err
}

// A snapshot is being taken.
type snapshot struct {
	list   []Comparison
	values int
}

// take copies a value to another place.
func (s *snapshot) take(now, then reflect.Value, depth int) error {
	t := now.Type()
	if e := Of(t); e != nil {
		then.Set(now)
		return s.compare(e, now, then, 1)
	}
	if depth++; depth > maxNested {
		return fmt.Errorf("it is nested more than %d deep", maxNested)
	}
	switch t.Kind() {
	case reflect.Slice:
		s.words(now, 3) // where it is, how long, and how long it can become
		if now.Len() == 0 {
			if err := s.count(1); err != nil {
				return err
			}
		}
		if now.IsNil() {
			return nil
		}
		then.Set(reflect.MakeSlice(t, now.Len(), min(now.Cap(), now.Len()+1))) // which tells that there is more
		if e := Of(t.Elem()); e != nil {
			reflect.Copy(then, now)
			if now.Len() == 0 {
				return nil
			}
			return s.compare(e, now.Index(0), then.Index(0), now.Len())
		}
		return s.elements(now, then, depth)
	case reflect.Array:
		return s.elements(now, then, depth)
	case reflect.Pointer:
		s.words(now, 1)
		if now.IsNil() {
			return s.count(1)
		}
		then.Set(reflect.New(t.Elem()))
		return s.take(now.Elem(), then.Elem(), depth)
	case reflect.Interface:
		if s.words(now, 2); now.IsNil() {
			return s.count(1)
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if err := s.take(field(now, i), field(then, i), depth); err != nil {
				return fmt.Errorf("field %s: %w", t.Field(i).Name, err)
			}
		}
		return nil
	}
	return fmt.Errorf("a value of type %v cannot be a compile-time value", t)
}

// elements copies those of an array or a slice.
func (s *snapshot) elements(now, then reflect.Value, depth int) error {
	for i := range now.Len() {
		if err := s.take(now.Index(i), then.Index(i), depth); err != nil {
			return err
		}
	}
	return nil
}

// field is a field of a struct, also one that is not exported.
func field(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// words compares the first words of a value with what they are now.
func (s *snapshot) words(now reflect.Value, n uintptr) {
	was := reflect.New(now.Type())
	was.Elem().Set(now)
	p, q := now.Addr().UnsafePointer(), was.UnsafePointer()
	s.list = append(s.list, Comparison{bytesPart, n * unsafe.Sizeof(uintptr(0)), p, q})
}

// count counts values. Its error ends the snapshot.
func (s *snapshot) count(n int) error {
	if s.values += n; s.values > comptime.MaxValues {
		return errTooMany
	}
	return nil
}

// errTooMany is what Snapshot says in words that name the whole type.
var errTooMany = errors.New("too many values")

// compare compares n values that lie one after the other. Where all of their memory counts as it is, that is one
// comparison.
func (s *snapshot) compare(e *Encoding, now, then reflect.Value, n int) error {
	if err := s.count(n * e.values); err != nil {
		return err
	}
	p, q, size := now.Addr().UnsafePointer(), then.Addr().UnsafePointer(), now.Type().Size()
	if len(e.parts) == 1 && e.parts[0].size == size && e.parts[0].kind <= wordPart {
		s.list = append(s.list, Comparison{bytesPart, size * uintptr(n), p, q})
		return nil
	}
	for i := range uintptr(n) {
		s.list = e.Compare(s.list, unsafe.Add(p, i*size), unsafe.Add(q, i*size))
	}
	return nil
}
