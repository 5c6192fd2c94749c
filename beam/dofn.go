package qdbeam

import (
	"context"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/util/reflectx"
)

// Package register of the Go SDK puts three functions and a conversion between the SDK and a method. Here the SDK calls ours
// with nothing between, which is the larger part of what an element costs.

// A valueFn is a DoFn for elements without keys.
type valueFn interface {
	Setup(context.Context) error
	StartBundle(context.Context, sink) error
	ProcessElement(x beam.X, emit sink) error
	FinishBundle(context.Context, sink) error
}

// A pairFn is a DoFn for keys and values.
type pairFn interface {
	Setup(context.Context) error
	StartBundle(context.Context, sinkKV) error
	ProcessElement(k beam.W, x beam.X, emit sinkKV) error
	FinishBundle(context.Context, sinkKV) error
}

// registerValueFn makes a DoFn known to Beam.
func registerValueFn[F any, P interface {
	*F
	valueFn
}]() {
	registerFn[F](func(fn any) map[string]reflectx.Func {
		f := fn.(P)
		return methods(f.Setup, f.StartBundle, valueFunc{f}, f.FinishBundle)
	})
}

// registerPairFn makes a DoFn known to Beam.
func registerPairFn[F any, P interface {
	*F
	pairFn
}]() {
	registerFn[F](func(fn any) map[string]reflectx.Func {
		f := fn.(P)
		return methods(f.Setup, f.StartBundle, pairFunc{f}, f.FinishBundle)
	})
}

func registerFn[F any](wrap func(fn any) map[string]reflectx.Func) {
	beam.RegisterType(reflect.TypeFor[F]())
	reflectx.RegisterStructWrapper(reflect.TypeFor[F](), wrap)
}

func methods(setup, start any, element reflectx.Func, finish any) map[string]reflectx.Func {
	return map[string]reflectx.Func{
		"Setup": reflectx.MakeFunc(setup), "StartBundle": reflectx.MakeFunc(start),
		"ProcessElement": element, "FinishBundle": reflectx.MakeFunc(finish),
	}
}

// valueFunc is the ProcessElement of a valueFn, as the SDK calls it.
type valueFunc struct{ fn valueFn }

// Name implements [reflectx.Func].
func (valueFunc) Name() string { return "ProcessElement" }

// Type implements [reflectx.Func].
func (valueFunc) Type() reflect.Type { return reflect.TypeFor[func(beam.X, sink) error]() }

// Call implements [reflectx.Func].
func (f valueFunc) Call(args []any) []any { return []any{f.Call2x1(args[0], args[1])} }

// Call2x1 implements [reflectx.Func2x1].
func (f valueFunc) Call2x1(x, emit any) any {
	if err := f.fn.ProcessElement(x, emit.(sink)); err != nil {
		return err
	}
	return nil
}

// pairFunc is the ProcessElement of a pairFn, as the SDK calls it.
type pairFunc struct{ fn pairFn }

// Name implements [reflectx.Func].
func (pairFunc) Name() string { return "ProcessElement" }

// Type implements [reflectx.Func].
func (pairFunc) Type() reflect.Type { return reflect.TypeFor[func(beam.W, beam.X, sinkKV) error]() }

// Call implements [reflectx.Func].
func (f pairFunc) Call(args []any) []any { return []any{f.Call3x1(args[0], args[1], args[2])} }

// Call3x1 implements [reflectx.Func3x1].
func (f pairFunc) Call3x1(k, x, emit any) any {
	if err := f.fn.ProcessElement(k, x, emit.(sinkKV)); err != nil {
		return err
	}
	return nil
}
