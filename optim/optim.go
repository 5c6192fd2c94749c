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
// each array on the array's device, for as long as it lives. It is for one goroutine at a time.
package optim

import (
	"fmt"
	"math"

	"github.com/qdgen/qd"
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
	return o.states.each(arrays, func(s state) error { return s.sgd(o) })
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
	return o.states.each(arrays, func(s state) error { return s.adam(o, o.WeightDecay, 0) })
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
	return o.states.each(arrays, func(s state) error { return s.adam(&a, 0, o.WeightDecay) })
}

// states are what an optimizer knows of arrays.
type states map[any]state

// A state is what an optimizer knows of one array.
type state interface {
	sgd(o *SGD) error
	adam(o *Adam, decay, decoupled float64) error
}

// each calls f with the state of each array.
func (all *states) each(arrays []any, f func(s state) error) error {
	if *all == nil {
		*all = make(states)
	}
	for i, a := range arrays {
		s := newState(a)
		if s == nil {
			return fmt.Errorf("optim: argument %d is a %T; give a *qd.Array of float32 or float64", i+1, a)
		}
		if old := (*all)[a]; old != nil {
			s = old
		}
		if err := f(s); err != nil {
			return fmt.Errorf("optim: argument %d: %w", i+1, err)
		}
		(*all)[a] = s
	}
	return nil
}

// newState is the state of an array at first, nil for what is none.
func newState(a any) state {
	switch a := a.(type) {
	case *qd.Array[float32]:
		return &stateOf[float32]{array: a, descend: descend[float32], adapt: adapt[float32]}
	case *qd.Array[float64]:
		return &stateOf[float64]{array: a, descend: descend[float64], adapt: adapt[float64]}
	}
	return nil
}

// stateOf is the state of an array with elements of a type.
type stateOf[T float32 | float64] struct {
	array          *qd.Array[T]
	descend, adapt any // the kernels; their type arguments must be known where they are named
	steps          int
	first, second  *qd.Array[T] // averages of the gradient and of its square
}

// ready finds what is wrong with the array, and makes the averages.
func (s *stateOf[T]) ready(averages ...**qd.Array[T]) (dim qd.Dims, err error) {
	if s.array == nil || s.array.Device() == nil {
		return dim, fmt.Errorf("the array was not made by qd.From or qd.Zeros")
	}
	if s.array.Grad() == nil {
		return dim, fmt.Errorf("the array has no gradient; make it with WithGrad")
	}
	for _, a := range averages {
		if *a == nil {
			*a = qd.Zeros[T](s.array.Device(), s.array.Len())
		}
	}
	return qd.Dim(s.array.Len()), nil
}

func (s *stateOf[T]) sgd(o *SGD) error {
	dim, err := s.ready(&s.first)
	if err != nil {
		return err
	}
	return s.array.Device().Launch(s.descend, dim, T(o.Rate), T(o.Momentum), T(o.WeightDecay), o.Nesterov, s.array, s.array.Grad(), s.first)
}

func (s *stateOf[T]) adam(o *Adam, decay, decoupled float64) error {
	dim, err := s.ready(&s.first, &s.second)
	if err != nil {
		return err
	}
	s.steps++
	beta1, beta2, eps := or(o.Beta1, 0.9), or(o.Beta2, 0.999), or(o.Eps, 1e-8)
	unbias1, unbias2 := 1/(1-math.Pow(beta1, float64(s.steps))), 1/(1-math.Pow(beta2, float64(s.steps)))
	return s.array.Device().Launch(s.adapt, dim, T(o.Rate), T(beta1), T(beta2), T(eps), T(unbias1), T(unbias2), T(decay), T(decoupled),
		s.array, s.array.Grad(), s.first, s.second)
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
