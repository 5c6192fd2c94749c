package tune

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/qdgen/qd/internal/runtime/launch"
)

// A config is a configuration: as the user gave it, as the Const that a launch takes, and as text. It has a place among
// those of the tuner.
type config struct {
	value any
	arg   any
	text  string
	place int
}

// configParam is the index of the parameter that takes the configurations, among those after the first. It is -1 with an
// error.
func configParam(k *launch.Kernel, typ reflect.Type) (index int, err error) {
	index = -1
	for i, p := range k.Params {
		switch {
		case p != typ:
		case index >= 0:
			return -1, wrong(k, fmt.Sprintf("parameters %d and %d are both of type %v: give the configurations a type of their own", index+1, i+1, typ))
		default:
			index = i
		}
	}
	if index < 0 {
		return -1, wrong(k, fmt.Sprintf("it has no parameter of type %v for the configurations", typ))
	}
	return index, nil
}

// check says what is wrong with the options of a kernel that takes configurations of a type.
func (o *Options) check(k *launch.Kernel, configs reflect.Type) error {
	for _, f := range o.Functions {
		switch {
		case f.Nil:
			return wrong(k, f.Option+" was given no function: it is nil")
		case f.Config != configs:
			return wrong(k, fmt.Sprintf("the function given to %s takes configurations of type %v; the configurations are of type %v", f.Option, f.Config, configs))
		}
	}
	switch {
	case k.IsGrid() && o.Grid != nil:
		return wrong(k, "it is a Grid kernel, which has no grid: remove qd.TuneGrid")
	case !k.IsGrid() && o.Grid == nil:
		return wrong(k, "it needs qd.TuneGrid, which gives the size of the launch")
	case o.Budget < 0:
		return wrong(k, fmt.Sprintf("qd.TuneBudget was given %v: it takes a time, or 0 for the default", o.Budget))
	case !(o.Within >= 0 && o.Within < 1): // nor a NaN
		return wrong(k, fmt.Sprintf("qd.TuneVerify was given %v: it takes a part of a number, from 0 to less than 1", o.Within))
	}
	return nil
}

// readConfigs reads configurations, which must differ.
func readConfigs(k *launch.Kernel, given []any) (configs []config, err error) {
	for i, c := range given {
		v := reflect.ValueOf(c).Field(0).Interface()
		if slices.ContainsFunc(configs, func(d config) bool { return d.value == v }) {
			return nil, wrong(k, fmt.Sprintf("configuration %s is given twice", text(v)))
		}
		configs = append(configs, config{v, c, text(v), i})
	}
	return configs, nil
}
