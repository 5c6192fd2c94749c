package launch

import (
	"encoding/binary"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/qdgen/qd/internal/bug"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/memo"
	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/dump"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/internal/runtime/registry"
)

// specializations has the programs of one kernel on a device: a specialization for each list of values that are known
// at compile time.
type specializations struct {
	of    *kernel.Func
	plain specialization // for the empty key
	mu    sync.RWMutex
	m     map[string]*specialization // by kernel.AppendKey
}

// A specialization is a kernel for one list of known values. The package variables that it reads are constants of its
// code too. So it can have several programs, one for each list of their values that a launch has found.
type specialization struct {
	current  atomic.Pointer[variant] // the program that the last launch has run
	mu       sync.Mutex
	variants []*variant
	builds   memo.Once[int, *variant] // by the number of variants before
}

// A variant is a program, and the package variables that it depends on.
type variant struct {
	*device.Loaded
	registry.Dependencies
	floats  []bool   // which arguments lead to floats in memory
	results *results // nil where results may depend on all that the program reads

	backward atomic.Pointer[Backward] // a list of the kernels that differentiate it
}

// reads reports whether the program may read memory that an argument leads to, by its index among those that are passed
// at run time.
func (v *variant) reads(arg int) bool { return v.Read == nil || v.Read[arg] }

// results says what the results of a program with checks depend on: not on what it reads for its checks alone.
type results struct {
	once  sync.Once
	find  func() []bool
	found atomic.Bool // read is set
	read  []bool      // which arguments lead to memory that matters; nil if that is not known
}

// writes reports whether it may write such memory.
func (v *variant) writes(arg int) bool { return v.Written == nil || v.Written[arg] }

// program returns the program of a kernel for checked constants and the current values of package variables. It builds
// and loads it once. The device has what the kernel's handle adds.
func (d *Device) program(k *Kernel, consts []any) (*variant, error) {
	sp := d.specialization(k, consts)
	if v := sp.current.Load(); v != nil && v.Hold() {
		return v, nil
	}
	return d.variant(sp, k, consts)
}

// forHandle returns the same device with what a kernel's handle adds: the kind of builds that its device has, and its
// context. What is done then ends with either context.
func (d *Device) forHandle(k *Kernel) *Device {
	if k.dev == nil || k.dev == d {
		return d
	}
	checked, fused := d.options.Checked || k.dev.options.Checked, d.options.Fused || k.dev.options.Fused
	return d.Whole().built(checked, fused).WithContext(new(joins).context(d.endsWith(k)))
}

// endsWith are the contexts that end a launch of a kernel on the device: that of the device, and that of the kernel's
// handle.
func (d *Device) endsWith(k *Kernel) ends {
	e := ends(nil).and(d.within)
	if k.dev != nil {
		e = e.and(k.dev.within)
	}
	return e
}

// specialization returns the specialization of a kernel for checked constants. It may have no program yet.
func (d *Device) specialization(k *Kernel, consts []any) *specialization {
	s := d.programs.of(k.Func)
	var buf [128]byte // a longer key is allocated
	key := k.AppendKey(buf[:0], consts)
	if n := d.blockDim(k); n > 0 {
		key = binary.AppendUvarint(key, uint64(n))
	}
	if n := d.stages(k); n > 0 {
		key = binary.AppendUvarint(append(key, 's'), uint64(n))
	}
	if len(key) == 0 {
		return &s.plain
	}
	if sp := s.find(key); sp != nil {
		return sp
	}
	return s.add(string(key))
}

// programs has the specializations of all kernels that have been launched on a device.
type programs struct {
	all    memo.Map[*kernel.Func, *specializations]
	recent [64]atomic.Pointer[specializations] // some of all, which a launch finds without a lock
}

// of returns the specializations of a kernel.
func (p *programs) of(f *kernel.Func) *specializations {
	at := uintptr(unsafe.Pointer(f)) // Funcs are some hundreds of bytes long, and do not move
	recent := &p.recent[(at>>8^at>>14)%uintptr(len(p.recent))]
	if s := recent.Load(); s != nil && s.of == f {
		return s
	}
	s, ok := p.all.Load(f)
	if !ok {
		s, _ = p.all.LoadOrStore(f, &specializations{of: f, m: map[string]*specialization{}})
	}
	recent.Store(s)
	return s
}

// blockDim is the number of threads in a block for which the code of a kernel is made. It is 0 if the code is for any
// number, or if no number was asked for.
func (d *Device) blockDim(k *Kernel) int {
	if k.IsBlock() && k.BlockSet && d.backend.KnowsBlockDim() {
		return k.BlockDim
	}
	return 0
}

// stages is the number of stages for which the code of a kernel is made, 0 for code without stages.
func (d *Device) stages(k *Kernel) int {
	if k.IsBlock() && k.Stages > 1 && d.backend.KnowsBlockDim() {
		return k.Stages
	}
	return 0
}

// Specialize builds and loads a kernel as a launch with these constants does.
func (d *Device) Specialize(k *Kernel, consts []any) error {
	_, err := d.program(k, consts)
	return err
}

// find finds the specialization of a key, nil if there is none.
func (s *specializations) find(key []byte) *specialization {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.m[string(key)]
}

// add adds the specialization of a key, if there is none.
func (s *specializations) add(key string) *specialization {
	s.mu.Lock()
	defer s.mu.Unlock()
	sp := s.m[key]
	if sp == nil {
		sp = new(specialization)
		s.m[key] = sp
	}
	return sp
}

// variant finds the program for the current values of package variables, or builds it. While one goroutine builds it,
// others that ask for the specialization wait.
func (d *Device) variant(sp *specialization, k *Kernel, consts []any) (*variant, error) {
	consts = slices.Clone(consts) // those of launch stay where they are
	for {
		sp.mu.Lock()
		for _, v := range sp.variants {
			if v.Hold() {
				sp.mu.Unlock()
				sp.current.Store(v)
				return v, nil
			}
		}
		n := len(sp.variants)
		sp.mu.Unlock()
		var all []*variant // with the one that is built here, nil if another goroutine has built it
		var start time.Time
		v, err := sp.builds.DoWithin(d.context(), n, func() (*variant, error) {
			start = time.Now()
			v, err := d.build(k, consts)
			if err == nil {
				all = sp.add(v)
			}
			return v, err
		})
		if err != nil {
			return nil, failure.Building(k, err, d.within)
		}
		if all != nil {
			d.tell(k, all, time.Since(start))
			return v, nil
		}
		if v.Hold() {
			return v, nil
		}
	}
}

// tell reports the last one of a specialization's programs. Nobody waits for that, and the program can be found: the
// handler of the program's log may launch anything, the same kernel too.
func (d *Device) tell(k *Kernel, programs []*variant, took time.Duration) {
	programs[len(programs)-1].Report(d.name, took)
	if !device.IsGo(d.backend) { // which compiles nothing
		warnOfMany(k.Name(), programs)
	}
}

// add adds a program, and makes it the current one. It returns all programs.
func (sp *specialization) add(v *variant) []*variant {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	sp.variants = append(sp.variants, v)
	sp.current.Store(v)
	return slices.Clip(sp.variants)
}

// Made counts the programs made ready in this process.
var Made atomic.Int64

// build builds and loads a specialization.
func (d *Device) build(k *Kernel, consts []any) (*variant, error) {
	opts, env, err := d.optionsFor(k, consts)
	if err != nil {
		return nil, err
	}
	var l *device.Loaded
	err = bug.Guard(k.Name(), func() (err error) {
		l, err = d.backend.Load(d.context(), k.Func, opts)
		if err == nil {
			device.ChecksFirst(d.backend, k.Func, opts, l)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	k.NameAs(l.Name)
	if dump.Wanted() && k.Backward == nil { // which is none that the source has
		if src, err := k.Source(opts); err == nil {
			dump.Specialization(src, k.Ref, k.Literal, d.name, opts)
		}
	}
	Made.Add(1)
	v := &variant{Loaded: l, Dependencies: env.Asked(l.Asked)}
	for _, t := range k.Args {
		v.floats = append(v.floats, kernel.HasGradient(t))
	}
	if opts.Checked && k.Backward == nil && !device.IsGo(d.backend) { // which knows the kernel without checks
		v.results = &results{find: func() []bool { return device.ReadByResults(k.Func, opts, l.Asked) }}
	}
	return v, nil
}

// optionsFor returns the options of a specialization. The environment, which is one of them, is returned separately
// too.
func (d *Device) optionsFor(k *Kernel, consts []any) (opts build.Options, env *registry.Env, err error) {
	env = registry.NewEnv()
	opts = d.options
	opts.Env = env
	opts.Captured = k.CapturedValues()
	opts.Print = device.PrintLine
	opts.BlockDim, opts.Stages = d.blockDim(k), d.stages(k)
	if opts.Consts, err = k.ConstValues(consts); err == nil {
		opts.Receiver, err = k.ReceiverValue()
	}
	return opts, env, err
}
