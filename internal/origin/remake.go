package origin

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/qdgen/qd/internal/tempdir"
)

// The go command knows by the hashes of all source whether a program is what the source makes. Asked to
// build one that is, it does nothing.

// An answer is what the go command says of the running program.
type answer int

const (
	unknown answer = iota // nothing
	same                  // the source as it is makes the program
	other                 // it makes another one, in the same circumstances
)

// remakePatience is how long the go command may take.
const remakePatience = 20 * time.Second

// remake has the go command build the program from the source as it is.
func (p *Program) remake() answer {
	info, ok := debug.ReadBuildInfo()
	if !ok || p.compiled.IsZero() {
		return unknown // what its cache has forgotten would take it long
	}
	if p.isTest() {
		return unknown // go test compiles and links what it runs in another way than go test -c
	}
	dir := p.mainDir(info)
	if dir == "" {
		return unknown
	}
	tmp, err := tempdir.Make("", tempdir.Origin)
	if err != nil {
		return unknown
	}
	defer os.RemoveAll(tmp)
	program := filepath.Join(tmp, "program")
	if copyFile(program, p.path) != nil {
		return unknown
	}
	ctx, cancel := context.WithTimeout(context.Background(), remakePatience)
	defer cancel()
	args, env, ok := buildAgain(info)
	if !ok {
		return unknown
	}
	version, _, _ := strings.Cut(runtime.Version(), " ") // without experiments
	cmd := exec.CommandContext(ctx, "go", append(args, "-o", program, ".")...)
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), "GOTOOLCHAIN="+version, "GOPROXY=off"), env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Second
	if cmd.Run() != nil {
		return unknown
	}
	f, err := os.Open(program)
	if err != nil {
		return unknown
	}
	defer f.Close()
	if identify(f) == p.id {
		return same
	}
	// The commit, or what else is stamped into a program, makes another one too.
	if now, err := exec.CommandContext(ctx, "go", "version", "-m", program).Output(); err != nil || !stampedAlike(string(now), info) {
		return unknown
	}
	return other
}

// stampedAlike reports whether what go version -m prints of a program is what another has stamped into it.
func stampedAlike(printed string, info *debug.BuildInfo) bool {
	_, printed, _ = strings.Cut(strings.ReplaceAll(printed, "\n\t", "\n"), "\n") // without the program's name
	_, own, _ := strings.Cut(info.String(), "\n")                                // and the version of Go
	return strings.TrimSpace(printed) == strings.TrimSpace(own)
}

// buildAgain are the arguments and the environment with which a program is built as it was. It is not ok
// where what is stamped into the program does not tell.
func buildAgain(info *debug.BuildInfo) (args, env []string, ok bool) {
	args = []string{"build"}
	vcs := "-buildvcs=false"
	for _, s := range info.Settings {
		switch {
		case s.Key == "-cover": // of which packages, and how
			return nil, nil, false
		case s.Key == "-buildmode" && s.Value == "exe": // so it is if none is given, but another program if it is
		case strings.HasPrefix(s.Key, "-"):
			args = append(args, s.Key+"="+s.Value)
		case strings.HasPrefix(s.Key, "vcs"):
			vcs = "-buildvcs=auto"
		case strings.HasPrefix(s.Key, "GO"), strings.HasPrefix(s.Key, "CGO_"):
			env = append(env, s.Key+"="+s.Value)
		}
	}
	return append(args, vcs), env, true
}

// isTest reports whether the program is a package's tests: the go command writes their main package, whose file
// the line table names.
func (p *Program) isTest() bool {
	data, err := os.ReadFile(p.path)
	return err == nil && bytes.Contains(data, []byte("\x00_testmain.go\x00"))
}

// mainDir is the directory of the program's main package: one with files that the program has code from,
// where the main module says that the package is.
func (p *Program) mainDir(info *debug.BuildInfo) string {
	if info.Main.Path == "" {
		return ""
	}
	below, ok := strings.CutPrefix(info.Path, info.Main.Path)
	if !ok {
		return ""
	}
	var seen []string
	for _, file := range p.files() {
		dir := filepath.Dir(file)
		if slices.Contains(seen, dir) {
			continue
		}
		seen = append(seen, dir)
		root, ok := strings.CutSuffix(filepath.ToSlash(dir), below)
		if !ok {
			continue
		}
		text, err := os.ReadFile(filepath.Join(filepath.FromSlash(root), "go.mod"))
		if err == nil && modfile.ModulePath(text) == info.Main.Path {
			return dir
		}
	}
	return ""
}

// copyFile copies an executable.
func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o755)
}
