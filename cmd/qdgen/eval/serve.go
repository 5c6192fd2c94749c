package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/internal/library"
)

// Serve answers questions until there are no more, and ends the program. If qdgen has
// not started the program, it does nothing. It is called at the end of package
// initialization; values are what else may be asked for, by name.
func Serve(values map[string]func() any) {
	word := os.Getenv(Variable)
	if word == "" {
		return
	}
	in, out := os.Stdin, os.Stdout
	// What is evaluated may read and print: not here.
	os.Stdout = os.Stderr
	if null, err := os.Open(os.DevNull); err == nil {
		os.Stdin = null
	}
	if err := serve(in, out, word, values); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func serve(in io.Reader, out io.Writer, word string, values map[string]func() any) error {
	env := library.Environment()
	send := func(a answer) error {
		text, err := json.Marshal(a)
		if err != nil {
			return err
		}
		// In a line of its own, whatever has been printed.
		_, err = fmt.Fprintf(out, "\n%s%s\n", word, text)
		return err
	}
	if err := send(answer{Version: version}); err != nil {
		return err
	}
	questions := json.NewDecoder(in)
	for {
		var q question
		if err := questions.Decode(&q); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := send(q.answer(env, values)); err != nil {
			return err
		}
	}
}

// typeTeller is an environment that knows the type of an expression before its value.
type typeTeller interface {
	StaticType(site frontend.StaticSite) (string, error)
}

// answer finds the answer to a question.
func (q *question) answer(env frontend.Environment, values map[string]func() any) (a answer) {
	var v comptime.Value
	var err error
	switch {
	case q.Var != nil:
		v, err = env.Var(q.Var.Pkg, q.Var.Name)
	case q.Static != nil:
		var args []comptime.Value
		for _, text := range q.Static.Args {
			arg, _, err := comptime.Parse(text)
			if err != nil {
				return answer{Error: err.Error()}
			}
			args = append(args, arg)
		}
		v, err = env.Static(q.Static.Site, args, frontend.Reads{})
	case q.Type != nil:
		if typed, ok := env.(typeTeller); ok {
			a.Type, err = typed.StaticType(*q.Type)
		} else {
			err = frontend.ErrNotRegistered
		}
	case values[q.Const] != nil:
		v, err = value(values[q.Const])
	default:
		return answer{Unknown: true}
	}
	switch {
	case errors.Is(err, frontend.ErrNotRegistered):
		return answer{Unknown: true}
	case err != nil:
		return answer{Error: err.Error()}
	}
	if a.Type == "" {
		a.Value = v.Append(nil)
	}
	return a
}

// value calls a function for its result; that it panics is an error.
func value(f func() any) (v comptime.Value, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it panics: %v", p)
		}
	}()
	return comptime.Of(reflect.ValueOf(f()))
}
