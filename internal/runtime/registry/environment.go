package registry

import (
	"cmp"
	"errors"
	"reflect"
	"sync"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/runtime/encoding"
)

// An Env answers what the front end asks the running program while one
// specialization is built. What a variable was when it was first asked for is its value until
// the end.
type Env struct {
	registered int64 // how often variables had been registered at the beginning

	mu      sync.Mutex
	vars    map[load.Global]*askedVar
	statics map[*staticResult]*evaluated
}

// askedVar is a variable as it was when it was asked for.
type askedVar struct {
	was   []encoding.Comparison // of the variable, and of what it leads to, with copies of what they were
	value comptime.Value
	err   error
}

// NewEnv is for one specialization.
func NewEnv() *Env {
	return &Env{
		registered: generated.turn(),
		vars:       map[load.Global]*askedVar{}, statics: map[*staticResult]*evaluated{},
	}
}

// Var implements [frontend.Environment].
func (e *Env) Var(pkg, name string) (comptime.Value, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	at := load.Global{Pkg: pkg, Name: name}
	if v := e.vars[at]; v != nil {
		return v.value, v.err
	}
	r := registeredVar(at)
	if r == nil {
		return comptime.Value{}, frontend.ErrNotRegistered
	}
	v := r.asked()
	e.vars[at] = v
	return v.value, v.err
}

// asked is what there is to say of a variable now.
func (r *packageVar) asked() *askedVar {
	v := new(askedVar)
	if r.encoding != nil {
		copied := reflect.New(r.pointer.Type().Elem())
		copied.Elem().Set(r.pointer.Elem())
		if v.value, v.err = comptime.Of(copied.Elem()); v.err == nil {
			v.was = r.encoding.Compare(nil, r.pointer.UnsafePointer(), copied.UnsafePointer())
		}
		return v
	}
	copied, was, err := encoding.Snapshot(nil, r.pointer.Elem())
	if err != nil {
		_, v.err = comptime.Of(r.pointer.Elem(), comptime.Slice, comptime.Pointer, comptime.Interface)
		v.err = cmp.Or(v.err, err)
		return v
	}
	if v.value, v.err = comptime.Of(copied, comptime.Slice, comptime.Pointer, comptime.Interface); v.err == nil {
		v.was = was
	}
	return v
}

// Asked gives what a program depends on that was built with these questions.
func (e *Env) Asked(list []frontend.Asked) (d Dependencies) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, a := range list {
		switch {
		case a.Site == nil:
			if a.Unknown {
				d.registered = e.registered
			}
			if v := e.vars[a.Var]; v != nil && v.err == nil {
				d.variables = append(d.variables, v.was...)
			}
		case a.Unknown:
		default:
			r, err := staticResultOf(*a.Site, a.Args, a.Reads)
			if err == nil && e.statics[r] != nil && r.changes() {
				d.statics = append(d.statics, staticWas{r, e.statics[r]})
			}
		}
	}
	d.some = d.Values() || d.registered != 0
	return d
}

// Static implements [frontend.Environment]. What an expression came to when it was first asked for
// is its value until the end.
func (e *Env) Static(site frontend.StaticSite, args []comptime.Value, reads frontend.Reads) (comptime.Value, error) {
	if len(args) == 0 {
		if v, err := initialValue(site); err != frontend.ErrNotRegistered {
			return v, err
		}
	}
	r, err := staticResultOf(site, args, reads)
	if err != nil {
		return comptime.Value{}, err
	}
	e.mu.Lock()
	was := e.statics[r]
	e.mu.Unlock()
	if was == nil {
		was = r.now() // which may take its time
		e.mu.Lock()
		if e.statics[r] == nil {
			e.statics[r] = was
		}
		was = e.statics[r]
		e.mu.Unlock()
	}
	return was.frontValue()
}

// StaticType is the type of the value of a qd.Static, as the front end writes types. It is
// there before the value: the source of what the argument calls need not be.
func (e *Env) StaticType(site frontend.StaticSite) (string, error) {
	var t reflect.Type
	generated.RLock()
	defer generated.RUnlock()
	if s := generated.statics[site]; s != nil {
		t = s.eval.Type().Out(0)
	}
	if s := generated.initial[site]; s != nil {
		if t = s.eval.Type().Out(0); t.Kind() == reflect.Interface && s.err == nil && !s.value.IsNil() {
			t = s.value.Elem().Type()
		}
	}
	if t == nil || t.Kind() == reflect.Interface {
		return "", frontend.ErrNotRegistered
	}
	return comptime.TypeName(t), nil
}

// staticValue is what the front end is told of the value of a qd.Static. Of a promoted method as a
// function, and of a method value, it may know from the source what there is no telling here.
func staticValue(v reflect.Value) (comptime.Value, error) {
	value, err := comptime.Of(withoutInterface(v), comptime.Slice, comptime.Map)
	if errors.As(err, new(*comptime.WrappedError)) || errors.As(err, new(*comptime.MethodValueError)) {
		err = &frontend.LackError{Lack: err}
	}
	return value, err
}
