package qdbeam

import (
	"bytes"
	"context"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/typex"
)

// Combine reduces a collection of In to one Acc in each window, or a collection of KV<K, In> to one Acc for each key
// and window, as [beam.Combine] and [beam.CombinePerKey] do. The kernel reduces the elements of a batch, and merge the
// results of the batches:
//
//	func(t qd.Thread, ..., starts []int32, in []In, acc []Acc)
//	func merge(a, b Acc) Acc
//
// Group i of a batch is in[starts[i]:starts[i+1]], which is not empty; its result is acc[i], which is zero before. A
// Thread kernel has one thread for each group, a Block kernel one block. A group has elements of one key and one
// window, and at most as many as [Segment] says. So the kernel and merge must be parts of an operation that is
// associative and commutative, which all of Beam's combiners are. Register makes both known.
func Combine(s beam.Scope, kernel, merge any, col beam.PCollection, options ...Option) beam.PCollection {
	return must(TryCombine(s, kernel, merge, col, options...))
}

var startsType = reflect.TypeFor[[]int32]()

// TryCombine is Combine with an error.
func TryCombine(s beam.Scope, kernel, merge any, col beam.PCollection, options ...Option) (beam.PCollection, error) {
	set, sh, err := settingsOf(kernel, options, startsType)
	if err != nil {
		return beam.PCollection{}, err
	}
	k, err := key(merge)
	if err == nil {
		_, err = lookup(k)
	}
	if err != nil {
		return beam.PCollection{}, err
	}
	if m, want := reflect.TypeOf(merge), reflect.FuncOf([]reflect.Type{sh.out, sh.out}, []reflect.Type{sh.out}, false); m != want {
		return beam.PCollection{}, fmt.Errorf("qdbeam: kernel %s: merge is a %v; want a %v", shortName(set.Kernel), m, want)
	}
	s = s.Scope("qdbeam.Combine " + shortName(set.Kernel))
	y := beam.TypeDefinition{Var: beam.YType, T: sh.out}
	switch {
	case col.IsValid() && typex.IsKV(col.Type()) && col.Type().Components()[1].Type() == sh.in:
		keys := beam.EncodedType{T: col.Type().Components()[0].Type()}
		part, err := one(beam.TryParDo(s, &combineKVFn{combiner: combiner{batcher: batcher{Settings: set}}, Key: keys}, col, y))
		if err != nil {
			return beam.PCollection{}, err
		}
		return beam.TryCombinePerKey(s, merge, part)
	case col.IsValid() && !typex.IsKV(col.Type()) && col.Type().Type() == sh.in:
		part, err := one(beam.TryParDo(s, &combineFn{combiner{batcher: batcher{Settings: set}}}, col, y))
		if err != nil {
			return beam.PCollection{}, err
		}
		return beam.TryCombine(s, merge, part)
	}
	return beam.PCollection{}, mismatch(set, col, sh.in.String()+", or KV of any key and "+sh.in.String())
}

func init() {
	registerValueFn[combineFn]()
	registerPairFn[combineKVFn]()
}

// A group is the elements of a batch that are reduced together.
type group struct {
	key  any // as it is emitted
	from origin
	size int
}

// A groupID is what the elements of a group have in common. It is comparable.
type groupID struct{ key, windows any }

// A combiner is a batcher whose elements are in groups.
type combiner struct {
	batcher

	of     []int // the group of each element
	groups []group
	ids    map[groupID]int
	order  []int
	sorted column
	starts []int32
}

// Setup is called once for each instance of the DoFn.
func (c *combiner) Setup(ctx context.Context) error {
	l, err := newLauncher(ctx, c.Settings, startsType)
	if err != nil {
		return err
	}
	c.launcher = l
	c.in, c.sorted = newColumn(l.shape.in, c.Settings.Batch), newColumn(l.shape.in, c.Settings.Batch)
	return nil
}

func (c *combiner) start() {
	c.begin()
	c.reset()
}

func (c *combiner) reset() {
	c.of, c.groups, c.ids = c.of[:0], c.groups[:0], map[groupID]int{}
}

// put adds an element to its group. The time of a group is that of its earliest element: a
// result must not be before what it is made of, and the watermark is held until then.
func (c *combiner) put(ctx context.Context, id any, k, x any) error {
	gid := groupID{id, windowsID(c.emitter.now.windows)}
	g, ok := c.ids[gid]
	if !ok {
		g = len(c.groups)
		c.ids[gid] = g
		c.groups = append(c.groups, group{key: k, from: c.emitter.now})
	}
	to := &c.groups[g]
	to.size++
	to.from.time = min(to.from.time, c.emitter.now.time)
	c.in.set(len(c.of), x)
	c.of = append(c.of, g)
	if len(c.of) < c.Settings.Batch {
		return nil
	}
	return c.combine(ctx)
}

// windowsID is comparable, and the same for the same windows.
func windowsID(ws []typex.Window) any {
	if len(ws) == 1 {
		return ws[0]
	}
	var id any
	for _, w := range ws {
		id = [2]any{id, w}
	}
	return id
}

// combine sorts the elements by groups, each in the order in which they came, cuts the groups into segments, launches the
// kernel over these, and emits the results.
func (c *combiner) combine(ctx context.Context) error {
	n := len(c.of)
	if n == 0 {
		return nil
	}
	next := make([]int, len(c.groups))
	var segments []int // the group of each
	c.starts = c.starts[:0]
	at := 0
	for g, gr := range c.groups {
		next[g] = at
		for from := 0; from < gr.size; from += c.Settings.Segment {
			c.starts = append(c.starts, int32(at+from))
			segments = append(segments, g)
		}
		at += gr.size
	}
	c.starts = append(c.starts, int32(n))
	if cap(c.order) < n {
		c.order = make([]int, c.Settings.Batch)
	}
	c.order = c.order[:n]
	for i, g := range c.of {
		c.order[next[g]] = i
		next[g]++
	}
	c.sorted.permute(c.order, c.in)
	out := newColumn(c.launcher.shape.out, len(segments))
	if err := c.launcher.launch(ctx, len(segments), n, c.starts, c.sorted.slice(n), out.slice(len(segments))); err != nil {
		return err
	}
	for i, g := range segments {
		gr := &c.groups[g]
		c.emitter.from(&gr.from)
		var err error
		if gr.key != nil {
			err = c.emitter.emit(gr.key, out.get(i))
		} else {
			err = c.emitter.emit(out.get(i), nil)
		}
		if err != nil {
			return err
		}
	}
	clear(c.groups)
	c.reset()
	return nil
}

// combineFn is the DoFn of Combine for elements without keys.
type combineFn struct{ combiner }

// StartBundle is called before the elements of a bundle.
func (f *combineFn) StartBundle(context.Context, sink) error {
	f.start()
	return nil
}

// ProcessElement is called for each element.
func (f *combineFn) ProcessElement(x beam.X, emit sink) error {
	if f.emitter == nil {
		f.emitter = emit.emitter()
	}
	return f.put(f.emitter.ctx, nil, nil, x)
}

// FinishBundle is called after the elements of a bundle.
func (f *combineFn) FinishBundle(ctx context.Context, _ sink) error { return f.combine(ctx) }

// combineKVFn is the DoFn of Combine for keys and values.
type combineKVFn struct {
	combiner
	Key beam.EncodedType // of the keys

	encoder beam.ElementEncoder // of keys that cannot be compared
	encoded bytes.Buffer
}

// Setup is called once for each instance of the DoFn.
func (f *combineKVFn) Setup(ctx context.Context) error {
	// Keys are the same for Beam if their encodings are: of pointers, floats and interfaces Go has another opinion.
	switch f.Key.T.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
	default:
		f.encoder = beam.NewElementEncoder(f.Key.T)
	}
	return f.combiner.Setup(ctx)
}

// StartBundle is called before the elements of a bundle.
func (f *combineKVFn) StartBundle(context.Context, sinkKV) error {
	f.start()
	return nil
}

// ProcessElement is called for each element.
func (f *combineKVFn) ProcessElement(k beam.W, x beam.X, emit sinkKV) error {
	if f.emitter == nil {
		f.emitter = emit.emitter()
	}
	id := any(k)
	if f.encoder != nil {
		f.encoded.Reset()
		if err := f.encoder.Encode(k, &f.encoded); err != nil {
			return err
		}
		id = f.encoded.String()
	}
	return f.put(f.emitter.ctx, id, k, x)
}

// FinishBundle is called after the elements of a bundle.
func (f *combineKVFn) FinishBundle(ctx context.Context, _ sinkKV) error { return f.combine(ctx) }
