package launch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/memo"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/ssa/gradient"
)

// Args are the arguments of a launch, by the names of the kernel's parameters. A method panics with a [BadName] if it
// cannot answer. The launch returns this as its error.
type Args struct {
	Names  []string
	Values []any

	asked  func(i int) // told of what is asked for, nil for nobody
	giving []string    // the parameters whose heuristics are running: each has asked for the next one
}

// A BadName says that an argument has no such property, or that there is no such argument.
type BadName struct{ Problem string }

// Error implements error: it is what a program prints that ends because nobody recovers the panic.
func (b *BadName) Error() string { return "qd: " + b.Problem }

// value finds an argument.
func (a *Args) value(name string) any {
	if a == nil {
		panic(&BadName{"these qd.Args are of no launch; ask those that a function for Heuristic, or for an option of Tune, is given"})
	}
	i := slices.Index(a.Names, name)
	if i < 0 {
		var named []string // those that are not blank
		for _, name := range a.Names {
			if name != "" {
				named = append(named, name)
			}
		}
		panic(&BadName{fmt.Sprintf("the kernel has no parameter named %s; its parameters are %s", name, strings.Join(named, ", "))})
	}
	if a.asked != nil {
		a.asked(i)
	}
	if h, ok := heuristicOf(a.Values[i]); ok {
		a.give(i, h)
	}
	return a.Values[i]
}

// give puts what a heuristic gives in its place.
func (a *Args) give(i int, h Heuristic) {
	name := a.Names[i]
	if at := slices.Index(a.giving, name); at >= 0 {
		problem := fmt.Sprintf("the one for parameter %s asks for %s itself, whose value is what it gives", name, name)
		if chain := a.giving[at:]; len(chain) > 1 {
			problem = fmt.Sprintf("those for the parameters %s ask for each other's values; let one of them ask only for arguments that no qd.Heuristic gives", strings.Join(chain, ", "))
		}
		panic(&BadName{problem})
	}
	if h == nil {
		panic(&BadName{fmt.Sprintf("the one for parameter %s was given no function: it is nil", name)})
	}
	a.giving = append(a.giving, name)
	defer func() { a.giving = a.giving[:len(a.giving)-1] }()
	a.Values[i] = h(a)
}

// Dim is the size of an array, a slice or a view along an axis.
func (a *Args) Dim(name string, axis int) int {
	arg := a.value(name)
	rank, n, ok := extent(arg, max(axis, 0))
	if !ok {
		panic(noMemory(name, arg))
	}
	if axis < 0 || axis >= rank {
		panic(&BadName{fmt.Sprintf("parameter %s has %s; there is no axis %d", name, dims.Plural(rank, "dimension"), axis)})
	}
	return n
}

// noMemory says that a question about sizes was asked of another argument.
func noMemory(name string, arg any) *BadName {
	if v := reflect.ValueOf(arg); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return &BadName{fmt.Sprintf("the argument for parameter %s is nil", name)}
	}
	return &BadName{fmt.Sprintf("the argument for parameter %s is of type %T, which is neither a slice nor a view", name, arg)}
}

// Len is the number of elements of an array, a slice or a view.
func (a *Args) Len(name string) int {
	arg := a.value(name)
	rank, n, ok := extent(arg, 0)
	if !ok {
		panic(noMemory(name, arg))
	}
	if rank == 0 {
		return 1
	}
	for axis := 1; axis < rank; axis++ {
		_, size, _ := extent(arg, axis)
		n *= size
	}
	return n
}

// Value is an argument in the form in which it was given. For a compile-time parameter it is the value.
func (a *Args) Value(name string) any {
	v := a.value(name)
	if t := reflect.TypeOf(v); t != nil && kernel.ConstElem(t) != nil {
		return reflect.ValueOf(v).Field(0).Interface()
	}
	return v
}

// Int is an argument that is an integer.
func (a *Args) Int(name string) int {
	switch v := reflect.ValueOf(a.Value(name)); {
	case v.CanInt():
		return int(v.Int())
	case v.CanUint():
		return int(v.Uint())
	case v.CanFloat() && v.Float() == float64(int(v.Float())): // a constant
		return int(v.Float())
	}
	panic(&BadName{fmt.Sprintf("parameter %s is not an integer", name)})
}

// ShapeOf is the shape of an argument that leads to memory, not ok for others.
func ShapeOf(arg any) (shape []int, ok bool) {
	rank, _, ok := extent(arg, 0)
	if !ok {
		return nil, false
	}
	shape = make([]int, rank)
	for axis := range shape {
		_, shape[axis], _ = extent(arg, axis)
	}
	return shape, true
}

// AppendShape appends the shape of an argument that leads to memory to the bytes of a key: its rank and its sizes.
func AppendShape(key []byte, arg any) (longer []byte, ok bool) {
	rank, n, ok := extent(arg, 0)
	if !ok {
		return key, false
	}
	key = append(key, byte(rank))
	for axis := range rank {
		if axis > 0 {
			_, n, _ = extent(arg, axis)
		}
		key = binary.NativeEndian.AppendUint64(key, uint64(n))
	}
	return key, true
}

// extent returns the number of axes of an argument that leads to memory, and its size along one of them. It is not ok
// for other arguments. It allocates nothing, because each tuned launch calls it.
func extent(arg any, axis int) (rank, n int, ok bool) {
	switch s := arg.(type) { // without reflection, what is frequent
	case []float32:
		return 1, len(s), true
	case []float64:
		return 1, len(s), true
	case []int32:
		return 1, len(s), true
	case int, float32, float64:
		return 0, 0, false
	}
	if a, ok := arrayOf(arg); ok {
		if a == nil || a.Buffer == nil {
			return 0, 0, false
		}
		shape := a.Buffer.Shape
		if axis < len(shape) {
			n = shape[axis]
		}
		return len(shape), n, true
	}
	v := reflect.ValueOf(arg)
	if !v.IsValid() {
		return 0, 0, false
	}
	if v.Kind() == reflect.Slice {
		return 1, v.Len(), true
	}
	if rank, _ = kernel.ViewOf(v.Type()); rank == 0 {
		return 0, 0, false
	}
	if axis < rank {
		n = arg.(interface{ Dim(axis int) int }).Dim(axis)
	}
	return rank, n, true
}

// Asking calls a function of the user that asks for arguments. what names the function. The error is a question that
// had no answer.
func (k *Kernel) Asking(what string, f func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *BadName:
			err = &failure.LaunchError{Kernel: k.Name(), Reason: what + ": " + p.Problem}
		default: // it may have been called on a goroutine of ours, where nobody else recovers it
			err = &failure.LaunchError{Kernel: k.Name(), Reason: fmt.Sprintf("the function given to %s panics: %v", what, p)}
		}
	}()
	f()
	return nil
}

// paramNames has the names of the parameters of kernels.
var paramNames memo.Once[*kernel.Func, []string]

// ParamNames are the names of the kernel's parameters after the first, "" for blank ones.
func (k *Kernel) ParamNames() ([]string, error) {
	return paramNames.Do(k.Func, func() ([]string, error) { return namesOf(k.Func) })
}

// namesOf is ParamNames. What a backward or tangent kernel has more is named as package gradient names it.
func namesOf(f *kernel.Func) ([]string, error) {
	if b := f.Backward; b != nil {
		of, err := namesOf(b.Kernel)
		names := slices.Clone(of)
		for i, name := range of {
			if t := b.Kernel.Params[i]; kernel.ConstElem(t) != nil || !kernel.HasGradient(t) {
				continue
			}
			if name != "" {
				name += map[string]string{gradient.Reverse: "Grad", gradient.Tangent: "Tangent"}[b.Last()]
			}
			names = append(names, name)
		}
		return names, err
	}
	src, err := f.Source(build.Options{})
	if err != nil {
		return nil, err
	}
	names, err := load.ParamNames(src, f.Ref)
	if err != nil {
		err = f.NotFound(err)
	}
	return names, err
}

// A Heuristic is a compile-time argument that is a function of the other arguments. The function returns a qd.Const.
type Heuristic func(a *Args) any

// heuristic marks the type: the package recognizes such an argument by this method.
func (h Heuristic) heuristic() Heuristic { return h }

// heuristicOf is the heuristic that an argument is, not ok for others.
func heuristicOf(arg any) (h Heuristic, ok bool) {
	marked, ok := arg.(interface{ heuristic() Heuristic })
	if !ok {
		return nil, false
	}
	return marked.heuristic(), true
}

// IsHeuristic reports whether an argument is a heuristic.
func IsHeuristic(arg any) bool {
	_, ok := heuristicOf(arg)
	return ok
}

// Failed is a heuristic with an error: who asks for what it gives is told that.
func Failed(err error) Heuristic {
	why := err.Error()
	if l := (*failure.LaunchError)(nil); errors.As(err, &l) {
		why = l.Reason
	}
	return func(*Args) any { panic(&BadName{why}) }
}

// Evaluate returns an argument, by its index, and the Const of one that is a heuristic. asked, unless it is nil, is told
// of the arguments that the heuristic asks for, by their indices.
func (k *Kernel) Evaluate(i int, args []any, asked func(i int)) (any, error) {
	h, ok := heuristicOf(args[i])
	if !ok {
		return args[i], nil
	}
	if h == nil {
		return nil, &failure.LaunchError{Kernel: k.Name(), Reason: "qd.Heuristic was given no function: it is nil"}
	}
	names, err := k.ParamNames()
	if err != nil {
		return nil, err
	}
	// A copy, as the function may keep it: so Go knows that a launch does not, and the caller of a launch needs no memory
	// of the heap for the list of its arguments.
	a := &Args{Names: names, Values: slices.Clone(args), asked: asked}
	err = k.Asking("qd.Heuristic", func() { a.give(i, h) })
	return a.Values[i], err
}
