package tune

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/internal/runtime/launch"
)

// A keyed parameter is one whose argument is a part of the key.
type keyed struct {
	index    int
	constant *kernel.ConstParam // nil for a parameter of run time
}

// keyed are the parameters whose arguments make the key: those that the user named, and the other compile-time
// parameters, of which each value is a kernel of its own.
func (t *Tuner) keyed(names []string) (list []keyed, err error) {
	add := func(i int) {
		k := keyed{index: i}
		if at := slices.IndexFunc(t.kernel.Consts, func(c kernel.ConstParam) bool { return c.Index == i }); at >= 0 {
			k.constant = &t.kernel.Consts[at]
		}
		list = append(list, k)
	}
	for _, name := range t.options.Keys {
		i := slices.Index(names, name)
		if i < 0 || i == t.index {
			return nil, wrong(t.kernel, fmt.Sprintf("qd.TuneKey(%q): the kernel's parameters are %s", name, strings.Join(slices.Delete(slices.Clone(names), t.index, t.index+1), ", ")))
		}
		add(i)
	}
	for _, c := range t.kernel.Consts {
		if c.Index != t.index && !slices.ContainsFunc(list, func(k keyed) bool { return k.index == c.Index }) {
			add(c.Index)
		}
	}
	return list, nil
}

// appendBytes appends what tells the requests apart in fewer bytes than [Tuner.appendKey], and in less time: each part
// says what it is and how long.
func (t *Tuner) appendBytes(key []byte, r *request) []byte {
	for _, k := range t.keys {
		if !slices.Contains(r.following, k.index) {
			key = k.appendBytes(key, r.Values[k.index])
			continue
		}
		key = append(key, 'h')
		for i := range r.given {
			key = k.appendBytes(key, r.given[i].values[k.index])
		}
	}
	return key
}

func (k *keyed) appendBytes(key []byte, arg any) []byte {
	if k.constant != nil {
		return k.constant.AppendArg(append(key, 'c'), arg)
	}
	switch v := reflect.ValueOf(arg); { // of numbers without a text, which has to be allocated
	case v.CanInt():
		return binary.NativeEndian.AppendUint64(append(key, 'i'), uint64(v.Int()))
	case v.CanUint():
		return binary.NativeEndian.AppendUint64(append(key, 'u'), v.Uint())
	case v.CanFloat():
		return binary.NativeEndian.AppendUint64(append(key, 'f'), math.Float64bits(v.Float()))
	}
	if longer, ok := launch.AppendShape(append(key, 's'), arg); ok {
		return longer
	}
	text := appendArg(nil, arg, false)
	key = binary.NativeEndian.AppendUint64(append(key, 't'), uint64(len(text)))
	return append(key, text...)
}

// appendKey appends what tells the requests apart for which the best configurations are found: "x=64x64, n=3".
// What a heuristic gives for a configuration is not in it: that belongs to the configuration.
func (t *Tuner) appendKey(key []byte, r *request) []byte {
	for _, k := range t.keys {
		if slices.Contains(r.following, k.index) {
			continue
		}
		if len(key) > 0 {
			key = append(key, ", "...)
		}
		name := r.Names[k.index]
		key = append(append(key, name...), '=')
		if shape, ok := launch.ShapeOf(r.Values[k.index]); ok {
			key = appendShape(key, shape)
			continue
		}
		key = appendArg(key, r.Value(name), true)
	}
	return key
}
