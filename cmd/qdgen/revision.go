package main

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/qdgen/qd/cmd/qdgen/explain"
)

// checkOut writes the files of a revision of the repository of the working directory into a new directory. The
// repository stays as it is.
func checkOut(ctx context.Context, revision string) (dir string, err error) {
	if strings.HasPrefix(revision, "-") {
		return "", usageErrorf("that is no revision")
	}
	top, err := git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return "", err
	}
	files, err := git(ctx, "-C", strings.TrimSpace(string(top)), "archive", "--format=tar", revision)
	if err != nil {
		return "", err
	}
	if dir, err = tempDir("qdgen-against-"); err != nil {
		return "", err
	}
	return dir, unpack(bytes.NewReader(files), dir)
}

// revision gathers what is known of the kernels in a revision of git: in a process of its own, whose directory has the
// files of the revision.
func (o *explainOptions) revision(ctx context.Context, patterns []string) (*explain.Model, error) {
	dir, err := checkOut(ctx, o.against)
	if dir != "" {
		defer os.RemoveAll(dir)
	}
	if err != nil {
		return nil, err
	}
	prefix, err := git(ctx, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := []string{"explain", "--json", "--arch", strings.Join(o.archs, ",")}
	for flag, values := range map[string][]string{"--kernel": o.kernels, "--type": o.types, "--const": o.consts} {
		for _, v := range values {
			args = append(args, flag, v)
		}
	}
	for flag, set := range map[string]bool{"--gradient": o.gradient, "--tangent": o.tangent, "--fused": o.fused} {
		if set {
			args = append(args, flag)
		}
	}
	args = append(args, "--stages", fmt.Sprint(o.stages), "--")
	if patterns, err = moved(ctx, patterns, dir); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, append(args, patterns...)...)
	cmd.Dir = filepath.Join(dir, filepath.FromSlash(strings.TrimSpace(string(prefix))))
	if _, err := os.Stat(cmd.Dir); err != nil {
		return nil, fmt.Errorf("the revision has no directory %s", strings.TrimSpace(string(prefix)))
	}
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	err = cmd.Run()
	if out.Len() == 0 { // else the page has what is wrong with single kernels
		return nil, errors.Join(err, errors.New(strings.TrimSpace(strings.TrimPrefix(messages.String(), "qdgen: "))))
	}
	m := new(explain.Model)
	if err := json.Unmarshal(out.Bytes(), m); err != nil {
		return nil, err
	}
	m.Label = o.against
	return m, nil
}

// moved are the patterns of packages with the revision's directory in place of the repository's: an absolute path names
// the working directory's files, which are those of another revision.
func moved(ctx context.Context, patterns []string, dir string) ([]string, error) {
	top, err := git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	var there []string
	for _, pattern := range patterns {
		if filepath.IsAbs(pattern) {
			parent, last := filepath.Split(pattern) // of a pattern such as /a/b/..., which is no file
			if real, err := filepath.EvalSymlinks(parent); err == nil {
				pattern = filepath.Join(real, last) // as git names the top
			}
			rel, err := filepath.Rel(strings.TrimSpace(string(top)), pattern)
			if err != nil || !filepath.IsLocal(rel) {
				return nil, fmt.Errorf("%s is not in the repository %s", pattern, strings.TrimSpace(string(top)))
			}
			pattern = filepath.Join(dir, rel)
		}
		there = append(there, pattern)
	}
	return there, nil
}

// unpack writes the files of an archive into a directory, and nothing beside it.
func unpack(archive io.Reader, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for r := tar.NewReader(archive); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		name := filepath.FromSlash(strings.TrimSuffix(h.Name, "/"))
		switch h.Typeflag {
		case tar.TypeDir:
			err = root.MkdirAll(name, 0o777)
		case tar.TypeReg:
			var text []byte
			if text, err = io.ReadAll(r); err == nil {
				if err = root.MkdirAll(filepath.Dir(name), 0o777); err == nil {
					err = root.WriteFile(name, text, h.FileInfo().Mode().Perm()|0o600)
				}
			}
		case tar.TypeSymlink:
			err = root.Symlink(h.Linkname, name)
		}
		if err != nil {
			return err
		}
	}
}

// git runs git, and gives what it prints.
func git(ctx context.Context, args ...string) ([]byte, error) {
	out, err := exec.CommandContext(ctx, "git", args...).Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		return nil, fmt.Errorf("git: %s", strings.TrimSpace(string(failed.Stderr)))
	}
	return out, err
}

// shellWords are arguments as one would type them.
func shellWords(args []string) []string {
	words := make([]string, len(args))
	for i, arg := range args {
		if words[i] = arg; arg == "" || strings.ContainsAny(arg, " '\"`$&|;<>()*?[]{}~#!\\") {
			words[i] = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
	}
	return words
}
