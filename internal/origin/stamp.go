package origin

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"golang.org/x/mod/module"
)

// stamped is what the go command has stamped into the running program: the commit, if it was
// built from just that, and the versions of its modules.
func stamped() (commit string, versions []string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", nil
	}
	return stampedIn(info)
}

func stampedIn(info *debug.BuildInfo) (commit string, versions []string) {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if settings["vcs"] == "git" && settings["vcs.modified"] == "false" {
		commit = settings["vcs.revision"]
	}
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			dep = dep.Replace
		}
		path, err := module.EscapePath(dep.Path)
		version, err2 := module.EscapeVersion(dep.Version)
		if err == nil && err2 == nil && dep.Version != "" && dep.Sum != "" {
			versions = append(versions, "/"+path+"@"+version+"/")
		}
	}
	return commit, versions
}

// inModuleCache reports whether a file is one of a module version that the program was
// built with, as the go command has unpacked it.
func (p *Program) inModuleCache(file string, info os.FileInfo) bool {
	if info.Mode()&0o222 != 0 {
		return false
	}
	for _, v := range p.versions {
		if strings.Contains(filepath.ToSlash(file), v) {
			return true
		}
	}
	return false
}

// gitPatience is how long git may take to print a file.
const gitPatience = 10 * time.Second

// inCommit reports whether a file is what the commit has of it that the program was built from.
func (p *Program) inCommit(file string, text []byte) bool {
	if p.commit == "" {
		return false
	}
	git, err := exec.LookPath("git")
	if err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), gitPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, git, "cat-file", "--filters", p.commit+":./"+filepath.Base(file))
	cmd.Dir = filepath.Dir(file)
	out, err := cmd.Output()
	return err == nil && bytes.Equal(out, text)
}
