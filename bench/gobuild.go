package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// building are the sections that measure what a user of qdgen waits for: Go's compiler after an edit, the way from an
// edit to the picture of an example, and the packages of qdgen with an empty cache. Each shows its result as soon as it
// has one: the last takes minutes on a busy machine.
func building() (sections []section) {
	for _, measure := range []func(*goBuild) (result, error){
		func(b *goBuild) (result, error) { return b.edit("mpm", "kernel.go", 400*time.Millisecond) },
		func(b *goBuild) (result, error) { return b.edit("raymarch/world", "kernel.go", 0) },
		(*goBuild).picture, (*goBuild).size, (*goBuild).empty,
	} {
		sections = append(sections, section{"build", func() ([]result, error) {
			b, err := newGoBuild()
			if err != nil {
				return nil, err
			}
			defer os.RemoveAll(b.dir)
			r, err := measure(b)
			if err != nil {
				return nil, err
			}
			return []result{r}, nil
		}})
	}
	return sections
}

const module = "github.com/qdgen/qd"

// goBuild has the go command build examples.
type goBuild struct {
	root, dir string
	edits     int
}

func newGoBuild() (*goBuild, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, missing("go, whose work is measured, is not in PATH")
	}
	if err != nil {
		return nil, fmt.Errorf("go list -m %s: %v", module, err)
	}
	dir, err := os.MkdirTemp("", "qdgen-bench-")
	return &goBuild{root: strings.TrimSpace(string(out)), dir: dir}, err
}

// run runs the go command.
func (b *goBuild) run(env []string, args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = b.root, append(append(os.Environ(), "CGO_ENABLED=0"), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// overlay is a flag with which a file of an example is another one at each call.
func (b *goBuild) overlay(example, file string) (string, error) {
	name := filepath.Join(b.root, "examples", example, file)
	text, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	b.edits++
	edited := filepath.Join(b.dir, "edited.go")
	text = fmt.Appendf(text, "\nvar edit%d = %d\n", time.Now().UnixNano(), b.edits)
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{name: edited}})
	if err == nil {
		err = os.WriteFile(edited, text, 0o600)
	}
	flag := filepath.Join(b.dir, "overlay.json")
	if err == nil {
		err = os.WriteFile(flag, list, 0o600)
	}
	return "-overlay=" + flag, err
}

// edit measures what compiling the package of an example takes after an edit.
func (b *goBuild) edit(example, file string, most time.Duration) (result, error) {
	times := make([]time.Duration, 0, *repeats)
	for i := range *repeats + 1 {
		flag, err := b.overlay(example, file)
		if err != nil {
			return result{}, err
		}
		ours, _, err := b.tools(nil, "list", "-export", "-f", "{{.Export}}", flag, "./examples/"+example)
		if err != nil {
			return result{}, err
		}
		if i > 0 {
			times = append(times, ours)
		}
	}
	return result{name: "compiling examples/" + example + " anew", ours: median(times), bound: bound{time: most},
		note: "processor time of Go's compiler after an edit"}, nil
}

// picture measures the way from an edit of saxpy to its picture, with everything else built before.
func (b *goBuild) picture() (result, error) {
	times := make([]time.Duration, 0, *repeats)
	for i := range *repeats + 1 {
		flag, err := b.overlay("saxpy", "main.go")
		if err != nil {
			return result{}, err
		}
		begin := time.Now()
		if err := b.run([]string{"QD_CACHE=" + filepath.Join(b.dir, "cache")}, "run", flag, "./examples/saxpy", "-o", filepath.Join(b.dir, "saxpy.png")); err != nil {
			return result{}, err
		}
		if i > 0 {
			times = append(times, time.Since(begin))
		}
	}
	return result{name: "saxpy: from an edit to the picture", ours: median(times), bound: bound{time: 1500 * time.Millisecond}}, nil
}

// empty measures what the packages of qdgen take with an empty cache of the go command, in a build of saxpy. It does so
// once, since it takes long.
func (b *goBuild) empty() (result, error) {
	cache := []string{"GOCACHE=" + filepath.Join(b.dir, "gocache")}
	ours, others, err := b.tools(cache, "build", "-o", filepath.Join(b.dir, "program"), "./examples/saxpy")
	return result{name: "qdgen's packages, nothing cached", ours: ours, theirs: others, bound: bound{time: 6 * time.Second},
		note: "processor time of Go's compiler and assembler in go build ./examples/saxpy, beside the other packages that it needs"}, err
}

// size is that of a stripped saxpy.
func (b *goBuild) size() (result, error) {
	program := filepath.Join(b.dir, "saxpy")
	if err := b.run(nil, "build", "-trimpath", "-ldflags=-s -w", "-o", program, "./examples/saxpy"); err != nil {
		return result{}, err
	}
	info, err := os.Stat(program)
	if err != nil {
		return result{}, err
	}
	return result{name: "size of a stripped saxpy", bytes: info.Size(), bound: bound{bytes: 9_000_000}}, nil
}
