package corpus

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// A Launch is one launch of a kernel. Its text has a line for each of the
// kernel's parameters and for the dimensions, in any order:
//
//	dim 8 4                 # the launch's dimensions, none for a Grid kernel; a number may be len(x)
//	block 64                # the number of threads in a block
//	p.X = [1 2 3]           # a field of a parameter that is a struct
//	n = 12                  # a number or a bool, in Go's notation; NaN, +Inf, -0 too
//	x = [1 2 3]             # a slice; it may go on over the following lines. Of a slice of
//	                        # arrays these are the numbers in the arrays, one array after the other
//	x = zeros 100           # 100 zeros
//	x = fill 2.5 100        # 100 times 2.5
//	x = seq 0 10 0.5        # from 0 by steps of 0.5 to less than 10
//	x = random 100 seed 7 range -10 10
//	x = special             # the type's special values: smallest, NaN, denormals, ...
//	x = special few         # the most special of them
//	x = special normal      # without the denormal floats; special few normal too
//	x = cycle 100 [1 2 3]   # 100 elements of a slice in turn
//	cross x y               # all pairs of the elements of x and of y
//
// and may have
//
//	tolerance 4ulp          # for functions of which Go does not fix every bit
//	tolerance y 4ulp or 1e-9    # for one slice; an absolute difference is allowed too
//	tolerance y exact
//	hand REASON             # the result is written by hand, as Go panics or is not the oracle
type Launch struct {
	Kernel *Kernel
	Name   string // as in the section's name: "", "saxpy", "saxpy/empty"
	Text   string // the section
	Dims   []int
	Block  int    // threads in a block, 0 for the usual number
	Hand   string // why Go is not the oracle, else ""

	// Result and Stdout are the expected sections.
	Result, Stdout string

	args       map[string]reflect.Value
	tolerances map[string]Tolerance // "" for all others
}

// Args gives the arguments anew, in the order of the parameters. One for a struct is of a
// struct without a name, so that the fields are exported.
func (l *Launch) Args() (args []any) {
	params := l.Kernel.Params
	for len(params) > 0 {
		n := 1
		for params[0].Struct != "" && n < len(params) && params[n].Struct == params[0].Struct {
			n++
		}
		var fields []reflect.StructField
		var values []reflect.Value
		for _, p := range params[:n] {
			v := group(clone(l.args[p.Name]), p.Type)
			_, name, _ := strings.Cut(p.Name, ".")
			fields, values = append(fields, reflect.StructField{Name: name, Type: v.Type()}), append(values, v)
		}
		if params[0].Struct == "" {
			args = append(args, values[0].Interface())
		} else {
			s := reflect.New(reflect.StructOf(fields)).Elem()
			for i, v := range values {
				s.Field(i).Set(v)
			}
			args = append(args, s.Interface())
		}
		params = params[n:]
	}
	return args
}

// flat are arguments with the fields of a struct in its place, as the parameters are.
func (l *Launch) flat(args []any) (list []any) {
	for _, arg := range args {
		v := reflect.ValueOf(arg)
		if v.Kind() != reflect.Struct {
			list = append(list, arg)
			continue
		}
		for i := range v.NumField() {
			list = append(list, v.Field(i).Interface())
		}
	}
	return list
}

// Tolerance is what the results in the slice of a parameter may differ by.
func (l *Launch) Tolerance(param string) Tolerance {
	if t, ok := l.tolerances[param]; ok {
		return t
	}
	return l.tolerances[""]
}

// clone copies a slice; a number is a copy already.
func clone(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Slice {
		return v
	}
	c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(c, v)
	return c
}

// launchParser reads a launch's text line by line.
type launchParser struct {
	*Launch
	types map[string]reflect.Type
	dims  []string // evaluated last: they may name slices
}

// parseLaunch reads the section of a launch.
func parseLaunch(k *Kernel, name, text string) (*Launch, error) {
	p := &launchParser{
		Launch: &Launch{
			Kernel: k, Name: name, Text: text,
			args: map[string]reflect.Value{}, tolerances: map[string]Tolerance{},
		},
		types: map[string]reflect.Type{},
	}
	for _, param := range k.Params {
		t, err := typeOf(param.Type)
		if err != nil {
			return nil, fmt.Errorf("parameter %s: %w", param.Name, err)
		}
		p.types[param.Name] = t
	}
	for _, line := range joinBrackets(text) {
		if err := p.line(line); err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
	}
	for _, d := range p.dims {
		n, err := p.number(d)
		if err != nil {
			return nil, fmt.Errorf("dim: %w", err)
		}
		p.Dims = append(p.Dims, n)
	}
	switch {
	case k.Grid && len(p.Dims) > 0:
		return nil, errors.New("a line dim for a kernel that has none")
	case !k.Grid && len(p.Dims) == 0:
		return nil, errors.New("no line dim")
	}
	for _, param := range k.Params {
		if _, ok := p.args[param.Name]; !ok {
			return nil, fmt.Errorf("no value for parameter %s", param.Name)
		}
	}
	return p.Launch, nil
}

// joinBrackets gives the lines of a text without comments and empty ones; a
// slice that goes on over several lines is one.
func joinBrackets(text string) []string {
	var lines []string
	open := false
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		line = strings.Join(strings.Fields(line), " ")
		if line == "" {
			continue
		}
		if open {
			lines[len(lines)-1] += " " + line
		} else {
			lines = append(lines, line)
		}
		last := lines[len(lines)-1]
		open = strings.Count(last, "[") > strings.Count(last, "]")
	}
	return lines
}

// line reads one line.
func (p *launchParser) line(line string) error {
	if name, value, ok := strings.Cut(line, " = "); ok {
		t, ok := p.types[name]
		if !ok {
			return fmt.Errorf("the kernel has no parameter %s", name)
		}
		v, err := p.value(t, value)
		if err != nil {
			return err
		}
		p.args[name] = v
		return nil
	}
	words := strings.Fields(line)
	switch words[0] {
	case "dim":
		p.dims = words[1:]
		return nil
	case "block":
		if len(words) != 2 {
			return errors.New("want block COUNT")
		}
		n, err := p.number(words[1])
		p.Block = n
		return err
	case "cross":
		if len(words) != 3 {
			return errors.New("want cross x y")
		}
		return p.cross(words[1], words[2])
	case "tolerance":
		return p.tolerance(words[1:])
	case "hand":
		p.Hand = strings.Join(words[1:], " ")
		return nil
	}
	return errors.New("want a parameter's value, dim, block, cross, tolerance or hand")
}

// value makes a parameter's value of its description.
func (p *launchParser) value(t reflect.Type, text string) (reflect.Value, error) {
	if t.Kind() != reflect.Slice {
		return parseScalar(t, text)
	}
	if strings.HasPrefix(text, "[") {
		return parseSlice(t, text)
	}
	words := strings.Fields(text)
	f, ok := fillings[words[0]]
	if !ok {
		return reflect.Value{}, fmt.Errorf("no such filling: %s", words[0])
	}
	return f(p, t, words[1:])
}

// cross replaces two slices by all pairs of their elements, those of the second
// changing fastest.
func (p *launchParser) cross(a, b string) error {
	x, okX := p.args[a]
	y, okY := p.args[b]
	if !okX || !okY || x.Kind() != reflect.Slice || y.Kind() != reflect.Slice {
		return fmt.Errorf("%s and %s must be slices with values", a, b)
	}
	n := x.Len() * y.Len()
	left, right := reflect.MakeSlice(x.Type(), n, n), reflect.MakeSlice(y.Type(), n, n)
	for i := range n {
		left.Index(i).Set(x.Index(i / y.Len()))
		right.Index(i).Set(y.Index(i % y.Len()))
	}
	p.args[a], p.args[b] = left, right
	return nil
}

// tolerance reads a line of tolerance.
func (p *launchParser) tolerance(words []string) error {
	name := ""
	if len(words) > 0 {
		if _, ok := p.types[words[0]]; ok {
			name, words = words[0], words[1:]
		}
	}
	t, err := parseTolerance(words)
	if err != nil {
		return err
	}
	p.tolerances[name] = t
	return nil
}

// number reads a count: a number or len(x).
func (p *launchParser) number(text string) (int, error) {
	if name, ok := strings.CutPrefix(text, "len("); ok {
		v, ok := p.args[strings.TrimSuffix(name, ")")]
		if !ok || v.Kind() != reflect.Slice {
			return 0, fmt.Errorf("%s: no such slice yet", text)
		}
		return v.Len(), nil
	}
	return strconv.Atoi(text)
}

// fillings make a slice of a type from the words that follow their name. They are
// set in init because "cycle" looks into them.
var fillings map[string]func(p *launchParser, t reflect.Type, words []string) (reflect.Value, error)

func init() {
	fillings = map[string]func(*launchParser, reflect.Type, []string) (reflect.Value, error){
		"zeros": (*launchParser).zeros, "fill": (*launchParser).fill, "seq": (*launchParser).seq,
		"random": (*launchParser).random, "special": (*launchParser).special, "cycle": (*launchParser).cycle,
	}
}

func (p *launchParser) zeros(t reflect.Type, words []string) (reflect.Value, error) {
	if len(words) != 1 {
		return reflect.Value{}, errors.New("want zeros COUNT")
	}
	n, err := p.number(words[0])
	if err != nil {
		return reflect.Value{}, err
	}
	return reflect.MakeSlice(t, n, n), nil
}

func (p *launchParser) fill(t reflect.Type, words []string) (reflect.Value, error) {
	if len(words) != 2 {
		return reflect.Value{}, errors.New("want fill VALUE COUNT")
	}
	v, err := parseScalar(t.Elem(), words[0])
	if err != nil {
		return v, err
	}
	n, err := p.number(words[1])
	if err != nil {
		return v, err
	}
	s := reflect.MakeSlice(t, n, n)
	for i := range n {
		s.Index(i).Set(v)
	}
	return s, nil
}

func (p *launchParser) cycle(t reflect.Type, words []string) (reflect.Value, error) {
	if len(words) < 2 {
		return reflect.Value{}, errors.New("want cycle COUNT SLICE")
	}
	n, err := p.number(words[0])
	if err != nil {
		return reflect.Value{}, err
	}
	from, err := p.value(t, strings.Join(words[1:], " "))
	if err != nil {
		return from, err
	}
	s := reflect.MakeSlice(t, n, n)
	for i := range n {
		s.Index(i).Set(from.Index(i % from.Len()))
	}
	return s, nil
}

func (p *launchParser) seq(t reflect.Type, words []string) (reflect.Value, error) {
	var f [3]float64
	if len(words) != len(f) {
		return reflect.Value{}, errors.New("want seq FROM TO STEP")
	}
	for i, w := range words {
		v, err := strconv.ParseFloat(w, 64)
		if err != nil {
			return reflect.Value{}, err
		}
		f[i] = v
	}
	from, to, step := f[0], f[1], f[2]
	s := reflect.MakeSlice(t, 0, 0)
	for i := 0; ; i++ {
		v := from + float64(i)*step
		if step == 0 || step > 0 && v >= to || step < 0 && v <= to {
			return s, nil
		}
		s = reflect.Append(s, reflect.ValueOf(v).Convert(t.Elem()))
	}
}

func (p *launchParser) random(t reflect.Type, words []string) (reflect.Value, error) {
	const usage = "want random COUNT seed SEED range LOW HIGH"
	if len(words) < 3 || words[1] != "seed" {
		return reflect.Value{}, errors.New(usage)
	}
	n, err := p.number(words[0])
	if err != nil {
		return reflect.Value{}, err
	}
	seed, err := strconv.ParseUint(words[2], 10, 64)
	if err != nil {
		return reflect.Value{}, err
	}
	low, high := 0.0, 1.0
	if len(words) > 3 {
		if len(words) != 6 || words[3] != "range" {
			return reflect.Value{}, errors.New(usage)
		}
		var errLow, errHigh error
		low, errLow = strconv.ParseFloat(words[4], 64)
		high, errHigh = strconv.ParseFloat(words[5], 64)
		if errLow != nil || errHigh != nil || low > high {
			return reflect.Value{}, errors.New(usage)
		}
	}
	s := reflect.MakeSlice(t, n, n)
	for i := range n {
		randomValue(s.Index(i), seed+uint64(i), low, high)
	}
	return s, nil
}

// randomValue sets v to a value between low and high that depends on the seed
// only, now and in every later version of Go: the goldens depend on it.
func randomValue(v reflect.Value, seed uint64, low, high float64) {
	bits := splitmix(splitmix(seed))
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(bits>>63 == 1)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(low + (high-low)*(float64(bits>>11)/(1<<53)))
	case reflect.Complex64, reflect.Complex128:
		other := splitmix(bits)
		part := func(bits uint64) float64 { return low + (high-low)*(float64(bits>>11)/(1<<53)) }
		v.SetComplex(complex(part(bits), part(other)))
	default:
		n := int64(low) + int64(bits%(uint64(int64(high)-int64(low))+1))
		v.Set(reflect.ValueOf(n).Convert(v.Type()))
	}
}

// splitmix is the generator of Steele, Lea and Flood, "Fast splittable
// pseudorandom number generators" (2014), at one position.
func splitmix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (p *launchParser) special(t reflect.Type, words []string) (reflect.Value, error) {
	few, normal := false, false
	for _, w := range words {
		switch w {
		case "few":
			few = true
		case "normal":
			normal = true
		default:
			return reflect.Value{}, errors.New("want special, special few or special normal")
		}
	}
	return specialValues(t, few, normal), nil
}
