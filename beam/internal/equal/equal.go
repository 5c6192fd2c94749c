// Package equal compares collections in tests. Beam has package passert for that, but to compile it takes many seconds.
package equal

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	register.Function1x1(text)
	register.Iter1[string]()
	beam.RegisterDoFn(&compareFn{})
}

// Values has a pipeline fail unless a collection has these elements, in any order. The collection is in the global window.
func Values(s beam.Scope, col beam.PCollection, want ...any) {
	List(s, col, want)
}

// List is Values for the elements of a slice.
func List(s beam.Scope, col beam.PCollection, want any) {
	f := new(compareFn)
	for _, x := range reflect.ValueOf(want).Seq2() {
		f.Want = append(f.Want, text(x.Interface()))
	}
	slices.Sort(f.Want)
	s = s.Scope("equal")
	beam.ParDo0(s, f, beam.Impulse(s), beam.SideInput{Input: beam.ParDo(s, text, col)})
}

// text is what is compared: the type of an element and its value as Go writes it.
func text(x beam.T) string { return fmt.Sprintf("%T %#v", x, x) }

// compareFn fails unless its input is Want, which is sorted.
type compareFn struct{ Want []string }

// ProcessElement is called once.
func (f *compareFn) ProcessElement(_ []byte, next func(*string) bool) error {
	var got []string
	var x string
	for next(&x) {
		got = append(got, x)
	}
	slices.Sort(got)
	if slices.Equal(got, f.Want) {
		return nil
	}
	b := fmt.Appendf(nil, "there are %d elements, want %d", len(got), len(f.Want))
	without := func(list, other []string) string {
		list = slices.Clone(list)
		for _, x := range other {
			if i := slices.Index(list, x); i >= 0 {
				list = slices.Delete(list, i, i+1)
			}
		}
		return strings.Join(list[:min(len(list), 20)], "\n")
	}
	b = fmt.Appendf(b, "\nnot wanted:\n%s\nmissing:\n%s", without(got, f.Want), without(f.Want, got))
	return errors.New(string(b))
}
