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

	"github.com/qdgen/qd/internal/processor"
)

// building measures what a user of qdgen waits for: Go's compiler after an edit, the packages of qdgen
// with an empty cache, and the way from an edit to the picture of an example.
func building() ([]result, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, missing("go, whose work is measured, is not in PATH")
	}
	if err != nil {
		return nil, fmt.Errorf("go list -m %s: %v", module, err)
	}
	dir, err := os.MkdirTemp("", "qdgen-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	b := &goBuild{root: strings.TrimSpace(string(out)), dir: dir}
	var results []result
	for _, measure := range []func() (result, error){
		func() (result, error) { return b.edit("mpm", "kernel.go", 400*time.Millisecond) },
		func() (result, error) { return b.edit("raymarch/world", "kernel.go", 0) },
		b.picture, b.empty, b.size,
	} {
		r, err := measure()
		if err != nil {
			return results, err
		}
		results = append(results, r)
	}
	return results, nil
}

const module = "github.com/qdgen/qd"

// goBuild has the go command build examples.
type goBuild struct {
	root, dir string
	edits     int
}

// run runs the go command and gives the processor time of all that it has started.
func (b *goBuild) run(env []string, args ...string) (time.Duration, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = b.root, append(append(os.Environ(), "CGO_ENABLED=0"), env...)
	before := processor.Children()
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return processor.Children() - before, nil
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

// edit measures what compiling the package of an example takes after an edit: the go command with the work
// to do, less the go command without.
func (b *goBuild) edit(example, file string, most time.Duration) (result, error) {
	pkg := "./examples/" + example
	list := func(flags ...string) (time.Duration, error) {
		return b.run(nil, append(append([]string{"list", "-export", "-f", "{{.Export}}"}, flags...), pkg)...)
	}
	with, without, err := sideBySide(func() (time.Duration, error) {
		flag, err := b.overlay(example, file)
		if err != nil {
			return 0, err
		}
		return list(flag)
	}, func() (time.Duration, error) { return list() })
	return result{name: "compiling examples/" + example + " anew", ours: max(with-without, 1), bound: bound{time: most},
		note: "processor time of Go's compiler after an edit, without the go command's own"}, err
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
		if _, err := b.run([]string{"QD_CACHE=" + filepath.Join(b.dir, "cache")}, "run", flag, "./examples/saxpy", "-o", filepath.Join(b.dir, "saxpy.png")); err != nil {
			return result{}, err
		}
		if i > 0 {
			times = append(times, time.Since(begin))
		}
	}
	return result{name: "saxpy: from an edit to the picture", ours: median(times), bound: bound{time: 1500 * time.Millisecond}}, nil
}

// empty measures what the packages of qdgen take with an empty cache of the go command: saxpy, less a program
// of the other packages that it needs. It does so once, since it takes long.
func (b *goBuild) empty() (result, error) {
	cmd := exec.Command("go", "list", "-deps", "./examples/saxpy")
	cmd.Dir, cmd.Env = b.root, append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		return result{}, fmt.Errorf("go list -deps: %v", err)
	}
	text := "package main\n\n"
	for _, path := range strings.Fields(string(out)) {
		if !strings.HasPrefix(path, module) && !strings.Contains(path, "internal") && !strings.HasPrefix(path, "vendor/") && path != "unsafe" {
			text += fmt.Sprintf("import _ %q\n", path)
		}
	}
	// Within this module, whose requirements it shares.
	name := filepath.Join(b.root, "examples", "saxpy", "main.go")
	other := filepath.Join(b.dir, "other.go")
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{name: other}})
	if err == nil {
		err = os.WriteFile(other, []byte(text+"\nfunc main() {}\n"), 0o600)
	}
	overlay := filepath.Join(b.dir, "other.json")
	if err == nil {
		err = os.WriteFile(overlay, list, 0o600)
	}
	if err != nil {
		return result{}, err
	}
	build := func(i int, flags ...string) (time.Duration, error) {
		cache := filepath.Join(b.dir, fmt.Sprint("gocache", i))
		defer os.RemoveAll(cache)
		return b.run([]string{"GOCACHE=" + cache}, append(append([]string{"build", "-o", filepath.Join(b.dir, "program")}, flags...), "./examples/saxpy")...)
	}
	with, err := build(0)
	if err != nil {
		return result{}, err
	}
	without, err := build(1, "-overlay="+overlay)
	return result{name: "qdgen's packages, nothing cached", ours: max(with-without, 1), bound: bound{time: 6 * time.Second},
		note: fmt.Sprintf("processor time of go build ./examples/saxpy, %s, less that of a program of the other packages", show(with))}, err
}

// size is that of a stripped saxpy.
func (b *goBuild) size() (result, error) {
	const most = 9_000_000
	program := filepath.Join(b.dir, "saxpy")
	if _, err := b.run(nil, "build", "-trimpath", "-ldflags=-s -w", "-o", program, "./examples/saxpy"); err != nil {
		return result{}, err
	}
	info, err := os.Stat(program)
	if err != nil {
		return result{}, err
	}
	r := result{name: "size of a stripped saxpy", note: fmt.Sprintf("%.2f MB, of %d at most", float64(info.Size())/1e6, most/1_000_000)}
	if info.Size() > most {
		r.bound, r.ours, r.theirs = bound{ratio: 1}, time.Duration(info.Size()), most
	}
	return r, nil
}
