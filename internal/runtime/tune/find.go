package tune

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/report"
	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/launch"
)

// A candidate is a configuration that a request may use.
type candidate struct {
	config  config
	text    string       // the configuration with what heuristics give for it
	args    *launch.Args // with that
	problem error        // why they are not those of a launch
	kernel  *launch.Kernel
	trial   *launch.Trial // nil until it is built, and where it cannot be
	code    cache.Key
	coded   bool // whether code is known
	launch  string
	row     *row
	times   []time.Duration
}

// find finds the best configuration for a request: from what has been measured before, or by measuring.
func (t *Tuner) find(r *request) (*choice, error) {
	mode, err := modeOf()
	if err != nil {
		return nil, err
	}
	list, err := t.candidates(r)
	if err != nil {
		return nil, err
	}
	if mode == measureNone || len(list) == 1 {
		return &choice{list[0].config, list[0].kernel}, nil
	}
	defer func() {
		for _, c := range list {
			if c.trial != nil {
				c.trial.Release()
			}
		}
	}()
	tab := table{Kernel: t.title(), Device: r.dev.String(), About: r.dev.Description(), Key: r.key}
	if r.dev.IsChecked() {
		tab.Device += ", checked"
	}
	if r.dev.IsFused() {
		tab.Device += ", fused"
	}
	notes := device.Cache()
	r.progress = report.NewProgress("tuning "+t.kernel.Name()+" on "+r.dev.String(), len(list)*(1+minRuns+1))
	defer r.progress.End()
	if err := t.buildAll(r, list); err != nil {
		return nil, err
	}
	if mode != measureAll {
		if note, ok := notes.Note(tab.note()); ok {
			kept := parseTable(note)
			if c := t.reused(&kept, list); c != nil {
				return &choice{c.config, c.kernel}, nil
			}
		}
		if note, ok := notes.FetchNote(tab.note()); ok {
			shared := parseTable(note)
			shared.Kernel, shared.Device, shared.About, shared.Key = tab.Kernel, tab.Device, tab.About, tab.Key
			err := notes.EditNote(tab.note(), "tuning "+tab.Kernel, func(old json.RawMessage) (json.RawMessage, error) {
				kept := parseTable(old)
				shared.add(&kept)
				return json.Marshal(&shared)
			})
			if err != nil {
				return nil, err
			}
			if c := t.reused(&shared, list); c != nil {
				return &choice{c.config, c.kernel}, nil
			}
		}
	}
	var chosen *candidate
	// Two that measured at once, whatever it is, would disturb each other.
	err = notes.Alone(cache.NewKey("tuning", []byte(tab.About)), "tuning on "+tab.Device, func() error {
		chosen, err = t.measureKept(r, &tab, mode, list)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &choice{chosen.config, chosen.kernel}, nil
}

// measureKept finds the best candidate, and keeps in the table's note what was measured for it.
func (t *Tuner) measureKept(r *request, tab *table, mode mode, list []*candidate) (chosen *candidate, err error) {
	err = device.Cache().EditNote(tab.note(), "tuning "+tab.Kernel, func(old json.RawMessage) (json.RawMessage, error) {
		kept := parseTable(old)
		tab.Rows = kept.Rows
		if mode == measureAll {
			kept.Rows = nil
		}
		if chosen, err = t.measure(r, &kept, list); err != nil {
			return nil, err
		}
		for _, c := range list {
			if !c.row.passing {
				tab.set(c.row)
			}
		}
		return json.Marshal(tab)
	})
	return chosen, err
}

// reused finds the best candidate by what has been measured before. It is nil where something is to be timed.
func (t *Tuner) reused(before *table, list []*candidate) *candidate {
	if len(t.reuse(before, list)) > 0 {
		return nil
	}
	return bestOf(list)
}

// candidates are the configurations that are not pruned.
func (t *Tuner) candidates(r *request) (list []*candidate, err error) {
	for _, c := range t.configs {
		a, problem := r.with(t, &c)
		pruned := false
		if t.options.Prune != nil {
			if err := t.kernel.Asking("qd.TunePrune", func() { pruned = t.options.Prune(c.value, a) }); err != nil {
				return nil, err
			}
		}
		if pruned {
			continue
		}
		k, err := t.with(c)
		if err != nil {
			return nil, err
		}
		list = append(list, &candidate{config: c, text: r.text(&c), args: a, problem: problem, kernel: k})
	}
	if len(list) == 0 {
		return nil, wrong(t.kernel, "qd.TunePrune leaves no configuration")
	}
	return list, nil
}

// reuse gives the candidates rows of what was measured of the same code and launch before. What remains is to be
// timed.
func (t *Tuner) reuse(before *table, list []*candidate) (timed []*candidate) {
	reference := referenceOf(before, list)
	for _, c := range list {
		if c.trial == nil {
			continue // its row says why
		}
		if old := c.before(before); old != nil && t.counts(old, reference) {
			c.row = old
			continue
		}
		c.row = t.newRow(c)
		timed = append(timed, c)
	}
	return timed
}

// newRow is the row of a candidate that is to be timed.
func (t *Tuner) newRow(c *candidate) *row {
	return &row{Config: c.text, Code: c.code, Launch: c.launch, When: now(), Verified: t.options.Verify, Within: t.options.Within}
}

// before is what a table has of the same code and launch, nil for nothing.
func (c *candidate) before(t *table) *row {
	if old := t.find(c.text); old != nil && c.coded && old.Code == c.code && old.Launch == c.launch {
		return old
	}
	return nil
}

// counts reports whether what was measured of a candidate counts now. Where results are compared, it does if they were
// compared with those of the same reference.
func (t *Tuner) counts(old *row, reference *candidate) bool {
	switch {
	case old.Failed:
		return true
	case t.options.Verify:
		return old.Verified && old.Within == t.options.Within && reference != nil && old.Reference == reference.key()
	}
	return old.Skipped == "" // or else it was compared
}

// referenceOf is the candidate that others are compared with, by what is known: the first one of which no trial has
// failed. It is nil if there is none.
func referenceOf(before *table, list []*candidate) *candidate {
	for _, c := range list {
		if c.trial == nil {
			continue
		}
		if old := c.before(before); old == nil || !old.Failed {
			return c
		}
	}
	return nil
}

// key tells a candidate's launch apart from others.
func (c *candidate) key() cache.Key {
	return cache.NewKey("tuning reference", c.code[:], []byte(c.launch))
}

// bestOf is the fastest candidate, nil if none can be used.
func bestOf(list []*candidate) (b *candidate) {
	rows := make([]*row, len(list))
	for i, c := range list {
		rows[i] = c.row
	}
	if i := slices.Index(rows, best(rows)); i >= 0 {
		return list[i]
	}
	return nil
}

// build makes a candidate ready to run.
func (t *Tuner) build(r *request, c *candidate) error {
	if c.trial != nil || c.problem != nil {
		return c.problem
	}
	dim, err := t.grid(c.config, c.args)
	if err != nil {
		return err
	}
	c.launch = fmt.Sprintf("%v, %d", dim, c.kernel.BlockDim)
	if c.kernel.StagesSet {
		c.launch += fmt.Sprintf(", %d stages", c.kernel.Stages)
	}
	trial, err := r.dev.Try(c.kernel, dim, c.args.Values)
	if err != nil {
		return err
	}
	c.trial = trial
	c.code, c.coded = trial.Code()
	return nil
}

// overBudget is why a configuration was left out that no time was left for.
const overBudget = "there was no time left to measure it"

// measure finds the best candidate. What was measured of the same code before counts.
func (t *Tuner) measure(r *request, before *table, list []*candidate) (*candidate, error) {
	start := time.Now()
	timed := t.reuse(before, list)
	var usable []*candidate
	for _, c := range list {
		if c.trial != nil && !c.row.Failed {
			usable = append(usable, c)
		}
	}
	if len(timed) > 0 {
		var err error
		if timed, err = t.timeAll(r, usable, timed); err != nil {
			return nil, err
		}
	}
	b := bestOf(list)
	if b == nil {
		return nil, errNone(t.kernel, list)
	}
	r.progress.End() // before the log says something
	t.tell(r, b, list, len(timed), time.Since(start))
	return b, nil
}

// buildAll builds the candidates. Those that cannot be built or launched have a row that says why. It is an error if
// the context has ended meanwhile.
func (t *Tuner) buildAll(r *request, list []*candidate) error {
	errs := make([]error, len(list))
	build.Each(len(list), func(i int) {
		errs[i] = t.build(r, list[i])
		r.progress.Step(1)
	})
	for i, c := range list {
		if errs[i] == nil {
			continue
		}
		if err := t.ended(r); err != nil {
			return err
		}
		c.skip(errs[i])
	}
	return nil
}

// ended is the error of a request whose context has ended.
func (t *Tuner) ended(r *request) error {
	return r.dev.Ended("tuning", t.kernel, "ended before the fastest configuration was known")
}

// skip leaves a candidate out: because of an error, or because of the time, which nil stands for.
func (c *candidate) skip(err error) {
	why := overBudget
	if err != nil {
		why, _, _ = strings.Cut(err.Error(), "\n")
	}
	skipped := &row{Config: c.text, Code: c.code, Launch: c.launch, When: now(), Skipped: why, err: err, passing: err == nil}
	if c.row != nil { // of a trial
		skipped.Verified, skipped.Within, skipped.Reference = c.row.Verified, c.row.Within, c.row.Reference
	}
	c.row = skipped
}

// fail leaves a candidate out whose trial has failed. An error that does not come from the candidate ends the tuning:
// that of a context, and that of a device which does not go on.
func (t *Tuner) fail(r *request, c *candidate, err error) error {
	if ended := t.ended(r); ended != nil {
		return ended
	}
	ofDevice := errors.As(err, new(*failure.DeviceError))
	if ofDevice && r.dev.Settle() != nil {
		return err
	}
	c.skip(err)
	c.row.Failed, c.row.passing = true, ofDevice
	return nil
}

// now is the time as tables have it.
func now() time.Time { return time.Now().UTC().Truncate(time.Second) }

// tell reports what was chosen, by how much, and what was left out.
func (t *Tuner) tell(r *request, b *candidate, list []*candidate, timed int, took time.Duration) {
	slowest := b.row
	var left []string
	for _, c := range list {
		switch {
		case c.row.Skipped != "":
			left = append(left, c.text)
			if c.row.err != nil {
				slog.Warn(fmt.Sprintf("qd: tuning %s: configuration %s is left out", t.kernel.Name(), c.text), "error", c.row.err)
			}
		case c.row.Time > slowest.Time:
			slowest = c.row
		}
	}
	msg := fmt.Sprintf("tuned %s on %s", t.kernel.Name(), r.dev)
	if r.key != "" {
		msg += " for " + r.key
	}
	msg += fmt.Sprintf(": %s, %v", b.text, b.row.Time)
	if slowest != b.row {
		msg += fmt.Sprintf(", %.2f times as fast as %s", float64(slowest.Time)/float64(b.row.Time), slowest.Config)
	}
	msg += fmt.Sprintf("; measured %d of %d configurations in %v", timed, len(list), took.Round(time.Millisecond))
	if len(left) > 0 {
		msg += "; left out: " + strings.Join(left, ", ")
	}
	report.Info(msg)
}
