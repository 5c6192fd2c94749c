package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/qdgen/qd/cmd/qdgen/eval"
	"github.com/qdgen/qd/cmd/qdgen/gen"
	"github.com/qdgen/qd/cmd/qdgen/listed"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/internal/build"
)

// An evaluator runs the Go code of a package for its values: it builds the package with
// an overlay of files as a program that serves them, when the first is asked for. It
// implements [frontend.Environment].
type evaluator struct {
	ws     *gen.Workspace
	path   string // of the package
	values []gen.Value
	stderr io.Writer

	once   sync.Once
	temp   string // a directory
	client *eval.Client
	err    error // why there is none
}

// Var implements [frontend.Environment]. A variable of a package that cannot be run is not
// known: the source may say enough.
func (e *evaluator) Var(pkg, name string) (comptime.Value, error) {
	c, err := e.start()
	if err != nil {
		return comptime.Value{}, frontend.ErrNotRegistered
	}
	return c.Var(pkg, name)
}

// Static implements [frontend.Environment].
func (e *evaluator) Static(site frontend.StaticSite, args []comptime.Value, reads frontend.Reads) (comptime.Value, error) {
	c, err := e.start()
	if err != nil {
		return comptime.Value{}, err
	}
	return c.Static(site, args, reads)
}

// StaticType is the type of an expression's value, as the front end writes types.
func (e *evaluator) StaticType(site frontend.StaticSite) (string, error) {
	c, err := e.start()
	if err != nil {
		return "", err
	}
	return c.StaticType(site)
}

// value is one of the values that the program serves besides.
func (e *evaluator) value(name string) (comptime.Value, error) {
	c, err := e.start()
	if err != nil {
		return comptime.Value{}, err
	}
	return c.Const(name)
}

// close ends the program and removes it.
func (e *evaluator) close() {
	if e.client != nil {
		e.client.Close()
	}
	if e.temp != "" {
		os.RemoveAll(e.temp)
	}
}

func (e *evaluator) start() (*eval.Client, error) {
	e.once.Do(func() {
		var limit time.Duration
		if limit, e.err = build.StaticTimeout(); e.err != nil {
			return
		}
		var program string
		if program, e.err = e.build(); e.err == nil {
			e.client = &eval.Client{Path: program, Stderr: e.stderr, Limit: limit}
		}
	})
	return e.client, e.err
}

// build builds the program.
func (e *evaluator) build() (program string, err error) {
	overlay, err := e.ws.Overlay(e.path, e.values)
	if err != nil {
		return "", err
	}
	if e.temp, err = tempDir("qdgen-eval-"); err != nil {
		return "", err
	}
	replace, names := make(map[string]string), make(map[string]string)
	for name, text := range overlay.Files {
		file := filepath.Join(e.temp, fmt.Sprintf("%d.go", len(replace)))
		names[filepath.Base(e.temp)+string(filepath.Separator)+filepath.Base(file)] = listed.Shorter(name)
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return "", err
		}
		replace[name] = file
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(e.temp, "overlay.json")
	if err := os.WriteFile(file, list, 0o600); err != nil {
		return "", err
	}
	program = filepath.Join(e.temp, "program.exe")
	var out bytes.Buffer
	if err := goBuild(&out, program, append([]string{"-overlay", file}, overlay.Build...)...); err != nil {
		return "", buildError(out.String(), names, err)
	}
	return program, nil
}

// buildError is what go build says, in one line: the first error. It names files of the
// overlay by their temporary names, which end as those in names do.
func buildError(out string, names map[string]string, err error) error {
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		for temporary, name := range names {
			if before, after, ok := strings.Cut(line, temporary); ok && !strings.Contains(before, " ") {
				line = name + after
			}
		}
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.Contains(line, gen.EvalPath):
			return errors.New("the module lacks a package that qdgen needs to evaluate it: run go get -tool github.com/qdgen/qd/cmd/qdgen, and go mod vendor if there is a vendor directory")
		default:
			return fmt.Errorf("its package has to run for that, but does not build: %s", strings.TrimPrefix(line, "./"))
		}
	}
	return fmt.Errorf("its package has to run for that, but does not build: %w", err)
}
