package qdbeam

import (
	"context"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/typex"
)

// Map runs a kernel func(t qd.Thread, ..., in []In, out []Out) over the elements of a collection of In,
// and gives the collection of their Out.
func Map(s beam.Scope, kernel any, col beam.PCollection, options ...Option) beam.PCollection {
	return must(TryMap(s, kernel, col, options...))
}

// TryMap is Map with an error.
func TryMap(s beam.Scope, kernel any, col beam.PCollection, options ...Option) (beam.PCollection, error) {
	set, sh, err := settingsOf(kernel, options)
	if err != nil {
		return beam.PCollection{}, err
	}
	if !col.IsValid() || typex.IsKV(col.Type()) || col.Type().Type() != sh.in {
		return beam.PCollection{}, mismatch(set, col, sh.in.String())
	}
	s = s.Scope("qdbeam.Map " + shortName(set.Kernel))
	return one(beam.TryParDo(s, &mapFn{batcher: batcher{Settings: set}}, col, beam.TypeDefinition{Var: beam.YType, T: sh.out}))
}

// MapKV runs a kernel func(t qd.Thread, ..., in []In, out []Out) over the values of a collection of KV<K, In>,
// and gives a collection of KV<K, Out>. The kernel does not see the keys.
func MapKV(s beam.Scope, kernel any, col beam.PCollection, options ...Option) beam.PCollection {
	return must(TryMapKV(s, kernel, col, options...))
}

// TryMapKV is MapKV with an error.
func TryMapKV(s beam.Scope, kernel any, col beam.PCollection, options ...Option) (beam.PCollection, error) {
	set, sh, err := settingsOf(kernel, options)
	if err != nil {
		return beam.PCollection{}, err
	}
	if !col.IsValid() || !typex.IsKV(col.Type()) || col.Type().Components()[1].Type() != sh.in {
		return beam.PCollection{}, mismatch(set, col, "KV of any key and "+sh.in.String())
	}
	s = s.Scope("qdbeam.MapKV " + shortName(set.Kernel))
	return one(beam.TryParDo(s, &mapKVFn{batcher: batcher{Settings: set}}, col, beam.TypeDefinition{Var: beam.YType, T: sh.out}))
}

func mismatch(set *settings, col beam.PCollection, want string) error {
	got := "an invalid one"
	if col.IsValid() {
		got = fmt.Sprintf("of %v", col.Type())
	}
	return fmt.Errorf("qdbeam: kernel %s: it takes a collection of %s; this one is %s", shortName(set.Kernel), want, got)
}

func must(col beam.PCollection, err error) beam.PCollection {
	if err != nil {
		panic(err)
	}
	return col
}

func one(cols []beam.PCollection, err error) (beam.PCollection, error) {
	if err != nil {
		return beam.PCollection{}, err
	}
	return cols[0], nil
}

func init() {
	registerValueFn[mapFn]()
	registerPairFn[mapKVFn]()
}

// A batcher collects the elements of a bundle and launches the kernel over them.
type batcher struct {
	Settings *settings

	launcher *launcher
	in       column
	n        int   // elements that are there
	from     []run // where they come from
	keys     []any // if there are keys
	emitter  *emitter
}

// A run is elements of a batch that follow each other and have the same origin.
type run struct {
	origin
	n int
}

// Setup is called once for each instance of the DoFn.
func (b *batcher) Setup(ctx context.Context) error {
	l, err := newLauncher(ctx, b.Settings)
	if err != nil {
		return err
	}
	b.launcher = l
	b.in = newColumn(l.shape.in, b.Settings.Batch)
	return nil
}

// begin forgets what a bundle that failed has left.
func (b *batcher) begin() {
	b.emitter = nil
	b.forget()
}

func (b *batcher) forget() {
	clear(b.keys)
	clear(b.from)
	b.n, b.from, b.keys = 0, b.from[:0], b.keys[:0]
}

// add adds an element, and launches if the batch is full.
func (b *batcher) add(ctx context.Context, x any) error {
	b.in.set(b.n, x)
	b.n++
	if last := len(b.from) - 1; last >= 0 && !b.emitter.moved {
		b.from[last].n++
	} else {
		b.from, b.emitter.moved = append(b.from, run{b.emitter.now, 1}), false
	}
	if b.n < b.Settings.Batch {
		return nil
	}
	return b.flush(ctx)
}

// flush launches the kernel over the elements that are there, and emits the results.
func (b *batcher) flush(ctx context.Context) error {
	if b.n == 0 {
		return nil
	}
	out := newColumn(b.launcher.shape.out, b.n) // what a kernel does not write does not depend on the batches before
	if err := b.launcher.launch(ctx, b.n, b.n, b.in.slice(b.n), out.slice(b.n)); err != nil {
		return err
	}
	i := 0
	for r := range b.from {
		from := &b.from[r]
		b.emitter.from(&from.origin)
		for end := i + from.n; i < end; i++ {
			var err error
			if len(b.keys) > 0 {
				err = b.emitter.emit(b.keys[i], out.get(i))
			} else {
				err = b.emitter.emit(out.get(i), nil)
			}
			if err != nil {
				return err
			}
		}
	}
	b.forget()
	return nil
}

// mapFn is the DoFn of Map.
type mapFn struct{ batcher }

// StartBundle is called before the elements of a bundle.
func (f *mapFn) StartBundle(context.Context, sink) error {
	f.begin()
	return nil
}

// ProcessElement is called for each element.
func (f *mapFn) ProcessElement(x beam.X, emit sink) error {
	if f.emitter == nil {
		f.emitter = emit.emitter()
	}
	return f.add(f.emitter.ctx, x)
}

// FinishBundle is called after the elements of a bundle.
func (f *mapFn) FinishBundle(ctx context.Context, _ sink) error { return f.flush(ctx) }

// mapKVFn is the DoFn of MapKV.
type mapKVFn struct{ batcher }

// StartBundle is called before the elements of a bundle.
func (f *mapKVFn) StartBundle(context.Context, sinkKV) error {
	f.begin()
	return nil
}

// ProcessElement is called for each element.
func (f *mapKVFn) ProcessElement(k beam.W, x beam.X, emit sinkKV) error {
	if f.emitter == nil {
		f.emitter = emit.emitter()
	}
	f.keys = append(f.keys, k)
	return f.add(f.emitter.ctx, x)
}

// FinishBundle is called after the elements of a bundle.
func (f *mapKVFn) FinishBundle(ctx context.Context, _ sinkKV) error { return f.flush(ctx) }
