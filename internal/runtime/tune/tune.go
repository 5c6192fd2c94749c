package tune

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/memo"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/internal/runtime/launch"
)

// DefaultBudget bounds the time that the runs of one key take.
const DefaultBudget = 5 * time.Second

// Options say how a kernel is tuned. The functions take a configuration as the user's type has it.
type Options struct {
	Keys     []string                                   // parameters whose shape or value is part of the key
	Grid     func(config any, a *launch.Args) dims.Dims // the size of a launch; nil for a Grid kernel
	BlockDim func(config any) int                       // the threads of a block; nil for the kernel's own
	Stages   func(config any) int                       // the stages of loops; nil for the kernel's own
	Prune    func(config any, a *launch.Args) bool      // which configurations are left out; may be nil
	Budget   time.Duration
	Verify   bool    // whether results are compared with those of the first configuration
	Within   float64 // how much floats may differ, relative to the larger one

	Functions []Function // that options were made with
}

// A Function is one that takes a configuration.
type Function struct {
	Option string       // the qd function that took it
	Config reflect.Type // what it takes for a configuration
	Nil    bool         // whether there is none
}

// A Tuner is a kernel with its configurations.
type Tuner struct {
	kernel  *launch.Kernel
	index   int // of the parameter that takes the configuration, among those after the first
	configs []config
	options Options
	err     error // why nothing can be tuned
	names   func() ([]string, error)
	keys    []keyed // what makes the key, once names has been called
	chosen  memo.Map[*launch.Device, *deviceChoices]
	last    atomic.Pointer[deviceChoices]
}

// A choice is the configuration that launches of a key use.
type choice struct {
	config config
	kernel *launch.Kernel // with its block size
}

// New makes a tuner of a kernel. Each configuration is given as a qd.Const of its type. What is wrong is the error of
// each run.
func New(f any, configs []any, o Options) *Tuner {
	t := &Tuner{options: o}
	k, err := launch.KernelOf(f)
	switch {
	case err != nil:
		t.err = err
		return t
	case len(configs) == 0:
		t.kernel, t.err = k, wrong(k, "there are no configurations to choose from")
		return t
	}
	t.kernel = k
	t.names = sync.OnceValues(func() (names []string, err error) {
		if names, err = k.ParamNames(); err == nil {
			t.keys, err = t.keyed(names)
		}
		return names, err
	})
	typ := reflect.TypeOf(configs[0])
	if t.options.Budget == 0 {
		t.options.Budget = DefaultBudget
	}
	if t.index, t.err = configParam(k, typ); t.err == nil {
		t.err = o.check(k, kernel.ConstElem(typ))
	}
	if t.err == nil {
		t.configs, t.err = readConfigs(k, configs)
	}
	return t
}

// wrong is the error of a kernel that cannot be tuned or launched as it was asked to be.
func wrong(k *launch.Kernel, reason string) error {
	return &failure.LaunchError{Kernel: k.Name(), Reason: "tuning: " + reason}
}

// Run runs the kernel with the best configuration for the arguments, which are those of a launch without the
// configuration.
func (t *Tuner) Run(args []any) error {
	r, c, err := t.choose(args)
	if err != nil {
		return err
	}
	defer r.release()
	if err := r.configure(t, &c.config); err != nil {
		return err
	}
	if c.kernel.IsGrid() {
		return r.dev.Run(c.kernel, r.Values)
	}
	dim, err := t.grid(c.config, &r.Args)
	if err != nil {
		return err
	}
	return r.dev.Launch(c.kernel, dim, r.Values)
}

// Best is the configuration that a run with these arguments uses. It is measured if that is not known.
func (t *Tuner) Best(args []any) (any, error) {
	r, c, err := t.choose(args)
	if err != nil {
		return nil, err
	}
	r.release()
	return c.config.value, nil
}

// choose finds the configuration for a run.
func (t *Tuner) choose(args []any) (*request, *choice, error) {
	switch {
	case t == nil:
		return nil, nil, &failure.LaunchError{Reason: "the tuned kernel is nil; make it with qd.Tune"}
	case t.err != nil:
		return nil, nil, t.err
	}
	r, err := t.request(args)
	if err != nil {
		return r, nil, err
	}
	var buf [128]byte // longer bytes are allocated
	short := t.appendBytes(buf[:0], r)
	chosen := t.chosenOn(r.dev)
	if l := chosen.last.Load(); l != nil && l.key == string(short) {
		return r, l.choice, nil
	}
	if c := (*chosen.choices.Load())[string(short)]; c != nil {
		chosen.last.Store(&last{string(short), c})
		return r, c, nil
	}
	r.key = string(t.appendKey(nil, r))
	// Whoever asks for the same key meanwhile waits.
	c, err := chosen.turn.Do(string(short), func() (*choice, error) { return t.find(r) })
	if err == nil {
		chosen.Lock()
		choices := maps.Clone(*chosen.choices.Load())
		choices[string(short)] = c
		chosen.choices.Store(&choices)
		chosen.Unlock()
	}
	return r, c, err
}

// deviceChoices are the choices for a device. Runs read them without a lock: a new choice is in a new map.
type deviceChoices struct {
	dev *launch.Device
	sync.Mutex
	choices atomic.Pointer[map[string]*choice] // by the bytes of keys
	last    atomic.Pointer[last]               // that of the run before, nil if it was new
	turn    memo.Once[string, *choice]
}

// A last is a choice with the bytes of its key.
type last struct {
	key    string
	choice *choice
}

// chosenOn are the choices for a device, which is nearly always that of the last run.
func (t *Tuner) chosenOn(dev *launch.Device) *deviceChoices {
	if k := t.last.Load(); k != nil && k.dev == dev {
		return k
	}
	v, ok := t.chosen.Load(dev)
	if !ok {
		k := &deviceChoices{dev: dev}
		k.choices.Store(&map[string]*choice{})
		v, _ = t.chosen.LoadOrStore(dev, k)
	}
	t.last.Store(v)
	return v
}

// grid is the size of a launch with a configuration.
func (t *Tuner) grid(c config, a *launch.Args) (d dims.Dims, err error) {
	if t.options.Grid == nil {
		return d, nil
	}
	err = t.kernel.Asking("qd.TuneGrid", func() { d = t.options.Grid(c.value, a) })
	return d, err
}

// with is the kernel with a configuration's block size and stages.
func (t *Tuner) with(c config) (k *launch.Kernel, err error) {
	k = t.kernel
	if t.options.BlockDim != nil {
		err = t.kernel.Asking("qd.TuneBlockDim", func() { k = k.WithBlockDim(t.options.BlockDim(c.value)) })
	}
	if t.options.Stages != nil && err == nil {
		err = t.kernel.Asking("qd.TuneStages", func() { k = k.WithStages(t.options.Stages(c.value)) })
	}
	return k, err
}

// title is the kernel in lists of tables, with all that makes its code another beside constants: the types of a
// generic one's parameters, the receiver, and what it captures.
func (t *Tuner) title() string {
	k := t.kernel
	title := k.Ref.Pkg + "." + k.Ref.Name
	if gort.IsInstance(k.Ref.Name) {
		title += "(" + k.Ref.Params + ")"
	}
	if v, err := k.ReceiverValue(); err == nil && v != nil {
		title += " of " + v.String()
	}
	captured := k.CapturedValues()
	for _, name := range slices.Sorted(maps.Keys(captured)) {
		title += fmt.Sprintf(" with %s=%v", name, captured[name])
	}
	return title
}

// Env is the environment variable that has tuning done without measuring, or anew.
const Env = "QD_TUNE"

// A mode is what QD_TUNE asks for.
type mode int

const (
	measureNew mode = iota // what is not known
	measureNone
	measureAll
)

// modeOf is the mode that the environment asks for.
func modeOf() (mode, error) {
	switch v := strings.ToLower(strings.TrimSpace(os.Getenv(Env))); v {
	case "", "on":
		return measureNew, nil
	case "off":
		return measureNone, nil
	case "force":
		return measureAll, nil
	default:
		return 0, &failure.LaunchError{Reason: fmt.Sprintf("%s=%s: use off, which takes the first configuration without measuring, or force, which measures all anew", Env, v)}
	}
}

// errNone is why none of several candidates can be used.
func errNone(k *launch.Kernel, list []*candidate) error {
	reasons := []error{wrong(k, "no configuration can be used")}
	for _, c := range list {
		err := c.row.err
		if err == nil {
			err = errors.New(c.row.Skipped)
		}
		same := func(r error) bool {
			f, ok := r.(*failure.ConfigError)
			return ok && f.Err.Error() == err.Error()
		}
		if i := slices.IndexFunc(reasons, same); i >= 0 {
			f := reasons[i].(*failure.ConfigError)
			f.Configs = append(f.Configs, c.text)
			continue
		}
		reasons = append(reasons, &failure.ConfigError{Configs: []string{c.text}, Err: err})
	}
	return failure.Join(reasons...)
}
