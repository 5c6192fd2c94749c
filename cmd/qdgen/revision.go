package main

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// checkOut writes the files of a revision of the repository of the working directory into a new directory. The repository stays as it is.
func checkOut(ctx context.Context, revision string) (dir string, err error) {
	if strings.HasPrefix(revision, "-") {
		return "", usageErrorf("--against %s: that is no revision", revision)
	}
	top, err := git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return "", err
	}
	files, err := git(ctx, "-C", strings.TrimSpace(string(top)), "archive", "--format=tar", revision)
	if err != nil {
		return "", fmt.Errorf("--against %s: %w", revision, err)
	}
	if dir, err = os.MkdirTemp("", "qdgen-against-"); err != nil {
		return "", err
	}
	return dir, unpack(bytes.NewReader(files), dir)
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
