// Package optim has the usual optimizers, as kernels: they change arrays of a device, in place, by what their gradients say.
//
//	w := qd.From(dev, host).WithGrad()
//	adam := optim.Adam{Rate: 1e-2}
//	for range steps {
//		err = w.ZeroGrad()
//		err = tape.Launch(loss, qd.Dim(n), w, x, sum)
//		err = tape.Backward(sum)
//		err = adam.Step(w)
//		tape.Reset()
//	}
//
// The arrays are [*qd.Array]s of float32 or float64, with a gradient ([qd.Array.WithGrad]). An optimizer keeps what it knows of
// each array on the array's device, for as long as both live. A part of an array ([qd.Array.Sub]) has a state of its own, by
// which elements it is: it may be taken anew for each step. An optimizer is for one goroutine at a time.
package optim

import (
	"fmt"
	"math"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/runtime/launch"
)

//go:generate go run ../cmd/qdgen gen .

// SGD is gradient descent, with momentum if that is not 0.
type SGD struct {
	Rate        float64 // by which the gradient is multiplied
	Momentum    float64 // how much of a step goes on in the next one, below 1
	Nesterov    bool    // look ahead by the momentum
	WeightDecay float64 // times the element is added to its gradient

	states states
}

// Step makes one step for each of some arrays.
func (o *SGD) Step(arrays ...any) error {
	return o.states.each(arrays, func(a any, s state) error { return s.sgd(a, o) })
}

// Adam is the optimizer of Kingma and Ba, "Adam: A method for stochastic optimization" (2015).
type Adam struct {
	Rate         float64 // the size of a step
	Beta1, Beta2 float64 // how much of the averages of the gradient and of its square stays in a step; 0 stands for 0.9 and 0.999
	Eps          float64 // is added to the divisor; 0 stands for 1e-8
	WeightDecay  float64 // times the element is added to its gradient

	states states
}

// Step makes one step for each of some arrays.
func (o *Adam) Step(arrays ...any) error {
	return o.states.each(arrays, func(a any, s state) error { return s.adam(a, o, o.WeightDecay, 0) })
}

// AdamW is Adam with a decay of the elements that is no part of their gradient: Loshchilov and Hutter, "Decoupled weight decay
// regularization" (2019).
type AdamW struct {
	Rate         float64 // the size of a step
	Beta1, Beta2 float64 // as those of Adam
	Eps          float64
	WeightDecay  float64 // times the rate, and times the element, is subtracted from it

	states states
}

// Step makes one step for each of some arrays.
func (o *AdamW) Step(arrays ...any) error {
	a := Adam{Rate: o.Rate, Beta1: o.Beta1, Beta2: o.Beta2, Eps: o.Eps}
	return o.states.each(arrays, func(array any, s state) error { return s.adam(array, &a, 0, o.WeightDecay) })
}

// states are what an optimizer knows of arrays, by which elements these are: a program may call Sub and Reshape anew for
// each step.
type states map[launch.Identity]state

// A state is what an optimizer knows of one array. It does not keep the array reachable.
type state interface {
	sgd(array any, o *SGD) error
	adam(array any, o *Adam, decay, decoupled float64) error
}

// each calls f with each array and its state.
func (all *states) each(arrays []any, f func(array any, s state) error) error {
	for i, a := range arrays {
		s := newState(a)
		if s == nil {
			return fmt.Errorf("optim: argument %d is a %T; give a *qd.Array of float32 or float64", i+1, a)
		}
		id, known := launch.IdentityOf(a)
		old := (*all)[id]
		if old != nil {
			s = old
		}
		if err := f(a, s); err != nil {
			all.dropGone(len(*all))
			return fmt.Errorf("optim: argument %d: %w", i+1, err)
		}
		if old == nil && known {
			all.dropGone(looks)
			if *all == nil {
				*all = make(states)
			}
			(*all)[id] = s
		}
	}
	return nil
}

// looks is how many arrays an optimizer looks at for each new one, to find out whether they are gone. To look at all would
// take a time that grows with the square of their number. Of those that are gone, it keeps about one for each looks arrays.
const looks = 8

// dropGone looks at some of the arrays, chosen at random, and forgets those that nobody can use any more. It does not free
// the memory that was kept for them, which a graph may still use: the garbage collector does so.
func (all states) dropGone(some int) {
	for id := range all {
		if some--; some < 0 {
			return
		}
		if id.IsGone() {
			delete(all, id)
		}
	}
}

// newState is the state of an array at first, nil for what is none.
func newState(a any) state {
	switch a.(type) {
	case *qd.Array[float32]:
		return &stateOf[float32]{descend: descend[float32], adapt: adapt[float32]}
	case *qd.Array[float64]:
		return &stateOf[float64]{descend: descend[float64], adapt: adapt[float64]}
	}
	return nil
}

// stateOf is the state of an array with elements of a type.
type stateOf[T float32 | float64] struct {
	descend, adapt any // the kernels; their type arguments must be known where they are named
	steps          int
	first, second  *qd.Array[T] // averages of the gradient and of its square
}

// ready finds what is wrong with an array, and makes the averages.
func (s *stateOf[T]) ready(array any, averages ...**qd.Array[T]) (a *qd.Array[T], dim qd.Dims, err error) {
	a = array.(*qd.Array[T])
	if a == nil || a.Device() == nil {
		return a, dim, fmt.Errorf("the array was not made by qd.From or qd.Zeros")
	}
	if a.Grad() == nil {
		return a, dim, fmt.Errorf("the array has no gradient; make it with WithGrad")
	}
	for _, average := range averages {
		if *average == nil {
			*average = qd.Zeros[T](a.Device(), a.Len())
		}
	}
	return a, qd.Dim(a.Len()), nil
}

func (s *stateOf[T]) sgd(array any, o *SGD) error {
	a, dim, err := s.ready(array, &s.first)
	if err != nil {
		return err
	}
	return a.Device().Launch(s.descend, dim, T(o.Rate), T(o.Momentum), T(o.WeightDecay), o.Nesterov, a, a.Grad(), s.first)
}

func (s *stateOf[T]) adam(array any, o *Adam, decay, decoupled float64) error {
	a, dim, err := s.ready(array, &s.first, &s.second)
	if err != nil {
		return err
	}
	s.steps++
	beta1, beta2, eps := or(o.Beta1, 0.9), or(o.Beta2, 0.999), or(o.Eps, 1e-8)
	unbias1, unbias2 := 1/(1-math.Pow(beta1, float64(s.steps))), 1/(1-math.Pow(beta2, float64(s.steps)))
	return a.Device().Launch(s.adapt, dim, T(o.Rate), T(beta1), T(beta2), T(eps), T(unbias1), T(unbias2), T(decay), T(decoupled),
		a, a.Grad(), s.first, s.second)
}

// or is x, or what 0 stands for.
func or(x, zero float64) float64 {
	if x == 0 {
		return zero
	}
	return x
}

// descend is a step of SGD.
//
//qd:kernel
func descend[T float32 | float64](t qd.Thread, rate, momentum, decay T, nesterov bool, w, grad, velocity []T) {
	i := t.ID()
	g := grad[i] + decay*w[i]
	v := momentum*velocity[i] + g
	velocity[i] = v
	if nesterov {
		v = g + momentum*v
	}
	w[i] -= rate * v
}

// adapt is a step of Adam and AdamW.
//
//qd:kernel
func adapt[T float32 | float64](t qd.Thread, rate, beta1, beta2, eps, unbias1, unbias2, decay, decoupled T, w, grad, first, second []T) {
	i := t.ID()
	g := grad[i] + decay*w[i]
	m := beta1*first[i] + (1-beta1)*g
	v := beta2*second[i] + (1-beta2)*g*g
	first[i], second[i] = m, v
	w[i] -= rate * (m*unbias1/(qd.Sqrt(v*unbias2)+eps) + decoupled*w[i])
}
