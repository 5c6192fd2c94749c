package main

import (
	"errors"
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/qdgen/qd/frontend/load"
)

// howToName says how packages are named on the command line.
const howToName = "name packages as for go build: ./dir, ./... or an import path"

// driverError is a failure of the go command itself, in one line. Package packages
// wraps what the command printed into "err: exit status 1: stderr: go: ...".
func driverError(err error) error {
	if _, missing := exec.LookPath("go"); missing != nil {
		return errors.New("the go command, which finds packages and their source, is not in PATH; install Go, or add its bin directory to PATH")
	}
	text := strings.TrimPrefix(err.Error(), "err: ")
	if status, printed, ok := strings.Cut(text, ": stderr: "); ok {
		text = strings.TrimSpace(printed)
		if text == "" {
			text = "the go command failed: " + status
		}
	}
	return errors.New(readable("", text))
}

// listError is what the go command says about a package, in one line. Where it has
// no position, package packages would write "-: " for it.
func listError(p *packages.Package, e packages.Error) error {
	if e.Pos != "" && e.Pos != "-" {
		return fmt.Errorf("%s: %s", e.Pos, oneLine(e.Msg))
	}
	return errors.New(readable(p.ID, e.Msg))
}

// readable puts a message of the go command about a pattern, "" if it is about none,
// into one line, and where the message leaves open what to do, says that.
func readable(pattern, msg string) string {
	msg = oneLine(strings.TrimPrefix(msg, "go: "))
	if _, why, found := strings.Cut(msg, "creating work dir: "); found {
		return "the go command has no directory for temporary files: " + why + "; " + setTemp
	}
	switch {
	case absent(pattern):
		return pattern + " does not exist; " + howToName
	case strings.Contains(msg, "go.mod file not found"), strings.Contains(msg, notInModule) && !isInModule():
		return noModule
	case strings.Contains(msg, notInModule):
		msg += "; change to the directory of the module that the packages belong to"
	case strings.Contains(msg, " is not in std ("):
		msg += "; " + howToName
	case strings.HasPrefix(msg, "no Go files in "):
		return msg + "; " + howToName
	case strings.Contains(msg, "source files not allowed when not using cgo"):
		msg += "; if qdgen emit has printed one of them, move it to a directory without a package"
	}
	if !strings.Contains(msg, pattern) {
		return pattern + ": " + msg
	}
	return msg
}

// noPackages is why patterns match no packages, where the go command says nothing about it. It is nil where they might.
func noPackages(patterns []string) error {
	var errs []error
	for _, p := range patterns {
		if absent(p) {
			errs = append(errs, errors.New(readable(p, "")))
		}
	}
	if len(errs) == 0 && !isInModule() {
		errs = append(errs, errors.New(noModule))
	}
	return errors.Join(errs...)
}

const noModule = "this directory is in no Go module; change to the directory of one, or make one with go mod init"

// notInModule is in what the go command says of ./... outside of a module, and of directories of another one.
const notInModule = "does not contain main module"

// isInModule reports whether the directory is in a Go module.
func isInModule() bool {
	dir, err := os.Getwd()
	return err == nil && load.Enclosing(dir, "go.mod") != ""
}

// absent reports whether a pattern names a file or directory that does not exist.
func absent(pattern string) bool {
	if !build.IsLocalImport(pattern) && !filepath.IsAbs(pattern) && !strings.HasSuffix(pattern, ".go") {
		return false
	}
	name, rest, _ := strings.Cut(pattern, "...")
	if rest != "" {
		return false // a wildcard in the middle may stand for part of a name
	}
	_, err := os.Stat(name)
	return errors.Is(err, fs.ErrNotExist)
}

// oneLine is text without line breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
