package tune

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/internal/runtime/launch"
)

const (
	minRuns = 3 // of a configuration that may be the best
	maxRuns = 15

	// enough is how long the runs of all configurations together go on after minRuns: more make a median better, and
	// the user wait.
	enough = 300 * time.Millisecond

	// A configuration that takes so many times as long as the best one is run no more: after the first run that
	// counts, and after minRuns.
	hopeless = 4
	slow     = 1.3
)

// timeAll times candidates, of those that can be used, and puts back what they have written. If the others have been
// compared with something else, they are timed too. It returns what was timed.
func (t *Tuner) timeAll(r *request, usable, timed []*candidate) ([]*candidate, error) {
	start := time.Now()
	trials := make([]*launch.Trial, len(usable))
	for i, c := range usable {
		trials[i] = c.trial
	}
	// What ran before may have failed, which is no error of a trial.
	if err := r.dev.Wait(); err != nil {
		return nil, err
	}
	saved, err := launch.Save(trials)
	if err != nil {
		return nil, err
	}
	defer saved.Free()
	var ref *reference
	if t.options.Verify {
		if ref, err = t.reference(r, saved, usable); err == nil {
			timed = t.compared(ref, usable, timed)
		}
	}
	if err == nil {
		err = t.rounds(r, saved, ref, timed, start)
	}
	if restored := saved.Restore(); err == nil {
		err = restored
	}
	for _, c := range timed {
		if len(c.times) > 0 && c.row.Skipped == "" {
			c.row.Time, c.row.Runs = median(c.times), len(c.times)
		}
	}
	return timed, err
}

// rounds runs each candidate once in a round, in turns, so that what slows the machine down slows down all of them. ref
// is what results are compared with, nil for nothing.
func (t *Tuner) rounds(r *request, saved *device.Saved, ref *reference, timed []*candidate, start time.Time) error {
	going := slices.DeleteFunc(slices.Clone(timed), func(c *candidate) bool { return c.row.Failed })
	for round := 0; round < maxRuns && len(going) > 0; round++ {
		for i, c := range going {
			if round%2 == 1 {
				c = going[len(going)-1-i]
			}
			// Each is run once, however long it takes; the first of all even beyond the budget.
			if spent := time.Since(start); spent > t.options.Budget && (round > 0 || i > 0) {
				if round == 0 {
					c.skip(nil)
				}
				continue
			}
			if err := t.ended(r); err != nil { // the trial may not know
				return err
			}
			if err := saved.Restore(); err != nil {
				return err
			}
			took, err := c.trial.Time()
			r.progress.Step(1)
			if err != nil {
				if err := t.fail(r, c, err); err != nil {
					return err
				}
				continue
			}
			if round == 0 && ref != nil {
				switch differs, err := t.compare(saved, c, ref); {
				case err != nil:
					return err
				case differs != nil:
					c.skip(differs)
					continue
				}
			}
			// The first run warms caches up.
			if round == 1 {
				c.times = c.times[:0]
			}
			c.times = append(c.times, took)
		}
		r.progress.Step(len(timed) - len(going)) // those that were given up before
		going = hopeful(going, round)
		spent := time.Since(start)
		if spent > t.options.Budget || round >= minRuns && spent > enough || round >= minRuns && len(going) == 1 {
			return nil
		}
	}
	return nil
}

// hopeful are the candidates that may be the best.
func hopeful(list []*candidate, round int) []*candidate {
	var fastest time.Duration
	for _, c := range list {
		if c.row.Skipped == "" && len(c.times) > 0 && (fastest == 0 || median(c.times) < fastest) {
			fastest = median(c.times)
		}
	}
	factor := slow
	switch {
	case round == 0: // the first run warms caches up, and the first configuration pays for the others
		factor = math.Inf(1)
	case round < minRuns:
		factor = hopeless
	}
	return slices.DeleteFunc(list, func(c *candidate) bool {
		return c.row.Skipped != "" || float64(median(c.times)) > factor*float64(fastest)
	})
}

// median is the middle of some durations, the shorter one of two.
func median(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[(len(sorted)-1)/2]
}

// A reference is what the first candidate that runs leaves in memory.
type reference struct {
	key  cache.Key // of the candidate
	want []device.Output
}

// reference runs the first candidate that runs, nil if none does.
func (t *Tuner) reference(r *request, saved *device.Saved, usable []*candidate) (*reference, error) {
	for _, c := range usable {
		if err := saved.Restore(); err != nil {
			return nil, err
		}
		if _, err := c.trial.Time(); err != nil {
			if err := t.fail(r, c, err); err != nil {
				return nil, err
			}
			continue
		}
		want, err := saved.Outputs()
		return &reference{c.key(), want}, err
	}
	return nil, nil
}

// compared adds to what is timed the candidates whose rows come from a comparison with another reference: the one that
// was expected has failed.
func (t *Tuner) compared(ref *reference, usable, timed []*candidate) []*candidate {
	for _, c := range usable {
		if ref != nil && !c.row.Failed && c.row.Reference != ref.key && !slices.Contains(timed, c) {
			c.row = t.newRow(c)
			timed = append(timed, c)
		}
	}
	return timed
}

// compare compares what a candidate has left in memory with what the reference has.
func (t *Tuner) compare(saved *device.Saved, c *candidate, ref *reference) (differs, err error) {
	got, err := saved.Outputs()
	if err != nil {
		return nil, err
	}
	c.row.Reference = ref.key
	for i := range got {
		w, g := ref.want[i].Elems, got[i].Elems
		for j := range g.Len() {
			if !t.equal(w.Index(j), g.Index(j)) {
				return fmt.Errorf("its results differ from those of the first configuration: element %d of %s is %v, not %v", j, t.argName(got[i].Arg), g.Index(j), w.Index(j)), nil
			}
		}
	}
	return nil, nil
}

// argName is the name of a parameter, by its index among those that are passed at run time.
func (t *Tuner) argName(arg int) string {
	names, _ := t.names() // without an error: the key has been made of them
	for i, name := range names {
		if slices.ContainsFunc(t.kernel.Consts, func(c kernel.ConstParam) bool { return c.Index == i }) {
			continue
		}
		if arg == 0 {
			return name
		}
		arg--
	}
	panic("BUG: tune: a kernel has fewer parameters than arguments")
}

// half is the value of a float of 16 bits, not ok for what is none. v is addressable, for fields need not be exported.
func half(v reflect.Value) (float32, bool) {
	if !kernel.IsQD(v.Type(), "Float16") && !kernel.IsQD(v.Type(), "BFloat16") {
		return 0, false
	}
	h := reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Interface().(interface{ Float32() float32 })
	return h.Float32(), true
}

// equal compares two elements. Floats may differ by the part that the user has set.
func (t *Tuner) equal(v, w reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		a, b := v.Float(), w.Float()
		if a == b || math.IsNaN(a) && math.IsNaN(b) {
			return true
		}
		return !math.IsInf(a, 0) && !math.IsInf(b, 0) && math.Abs(a-b) <= t.options.Within*math.Max(math.Abs(a), math.Abs(b))
	case reflect.Complex64, reflect.Complex128:
		a, b := v.Complex(), w.Complex()
		return t.equal(reflect.ValueOf(real(a)), reflect.ValueOf(real(b))) && t.equal(reflect.ValueOf(imag(a)), reflect.ValueOf(imag(b)))
	case reflect.Array:
		for i := range v.Len() {
			if !t.equal(v.Index(i), w.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		if h, ok := half(v); ok {
			g, _ := half(w)
			return t.equal(reflect.ValueOf(h), reflect.ValueOf(g))
		}
		for i := range v.NumField() {
			if !t.equal(v.Field(i), w.Field(i)) {
				return false
			}
		}
		return true
	}
	return v.Equal(w)
}
