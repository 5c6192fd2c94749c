package gokernels

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// Dir is the directory of the Go compiler's tests, "" where Go was installed without them.
var Dir = sync.OnceValue(func() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return ""
	}
	dir := filepath.Join(strings.TrimSpace(string(out)), "test")
	if found, _ := filepath.Glob(filepath.Join(dir, "*.go")); len(found) == 0 {
		return ""
	}
	return dir
})

// Files are the Go files below Dir, in order.
func Files() (list []string, err error) {
	if Dir() == "" {
		return nil, nil
	}
	err = filepath.WalkDir(Dir(), func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.HasSuffix(path, ".go") {
			list = append(list, path)
		}
		return err
	})
	return list, err
}
