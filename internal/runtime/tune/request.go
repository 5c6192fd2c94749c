package tune

import (
	"fmt"
	"slices"
	"sync"

	"github.com/qdgen/qd/internal/report"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/launch"
)

// A request is what a run was asked for. One with a known configuration takes it from those of earlier runs, and
// allocates nothing.
type request struct {
	launch.Args // with a place for the configuration
	dev         *launch.Device
	key         string
	progress    *report.Progress // while the best configuration is found
	few         [6]any           // Values, if they are so few

	following []int   // the parameters whose heuristics ask for the configuration
	given     []given // what those give, for each configuration; nil if there are none
}

// given are the arguments of a request with a configuration.
type given struct {
	values  []any
	problem error // why a heuristic gives nothing for the configuration
}

var requests = sync.Pool{New: func() any { return new(request) }}

// release gives a request to later runs. One that was measured for may still be known elsewhere.
func (r *request) release() {
	if r.key == "" {
		*r = request{}
		requests.Put(r)
	}
}

// request checks as much of a run as the key needs.
func (t *Tuner) request(args []any) (r *request, err error) {
	if len(args) != len(t.kernel.Params)-1 {
		return r, wrong(t.kernel, fmt.Sprintf("%s for %s: the configuration is not among them", dims.Plural(len(args), "argument"), dims.Plural(len(t.kernel.Params)-1, "parameter")))
	}
	r = requests.Get().(*request)
	if r.dev, err = t.kernel.DeviceFor(args); err != nil {
		return r, err
	}
	if r.Names, err = t.names(); err != nil {
		return r, err
	}
	r.Values = append(append(append(r.few[:0], args[:t.index]...), t.configs[0].arg), args[t.index:]...)
	if slices.ContainsFunc(r.Values, launch.IsHeuristic) {
		err = r.evaluate(t)
	}
	return r, err
}

// evaluate puts what heuristics give into their places, also what some give for each configuration.
func (r *request) evaluate(t *Tuner) error {
	for _, c := range t.kernel.Consts {
		if !launch.IsHeuristic(r.Values[c.Index]) {
			continue
		}
		follows := false
		v, err := t.kernel.Evaluate(c.Index, r.Values, func(i int) { follows = follows || i == t.index })
		switch {
		case follows: // and one that has not asked for the first configuration gives the same for all
			r.following = append(r.following, c.Index)
		case err != nil:
			return err
		default:
			r.Values[c.Index] = v
		}
	}
	if r.following == nil {
		return nil
	}
	r.given = make([]given, len(t.configs))
	for i, c := range t.configs {
		values := slices.Clone(r.Values)
		values[t.index] = c.arg
		for _, at := range r.following {
			v, err := t.kernel.Evaluate(at, values, nil)
			if err != nil {
				r.given[i].problem, v = err, launch.Failed(err)
			}
			values[at] = v
		}
		r.given[i].values = values
	}
	return nil
}

// configure makes the arguments those with a configuration.
func (r *request) configure(t *Tuner, c *config) error {
	if r.following == nil {
		r.Values[t.index] = c.arg
		return nil
	}
	r.Values = r.given[c.place].values
	return r.given[c.place].problem
}

// with are the arguments with a configuration, while the request goes on without one.
func (r *request) with(t *Tuner, c *config) (*launch.Args, error) {
	of := request{Args: launch.Args{Names: r.Names, Values: slices.Clone(r.Values)}, following: r.following, given: r.given}
	err := of.configure(t, c)
	return &launch.Args{Names: of.Names, Values: of.Values}, err
}

// text is a configuration with what heuristics give for it: "{Rows:4} with whole=true".
func (r *request) text(c *config) string {
	text, and := c.text, " with "
	for _, i := range r.following {
		if r.given[c.place].problem != nil {
			break
		}
		a := launch.Args{Names: r.Names, Values: r.given[c.place].values}
		text += and + r.Names[i] + "=" + string(appendArg(nil, a.Value(r.Names[i]), true))
		and = " and "
	}
	return text
}
