// The command gen writes package kernels from the corpus. It is run by go
// generate in the directory of package corpus.
package main

import (
	"bytes"
	"log"
	"os"
	"path/filepath"

	"github.com/qdgen/qd/internal/corpus"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("corpus/gen: ")
	if err := generate(); err != nil {
		log.Fatal(err)
	}
}

func generate() error {
	files, err := corpus.Load("../..")
	if err != nil {
		return err
	}
	want, err := corpus.Generate(files)
	if err != nil {
		return err
	}
	old, err := filepath.Glob("kernels/z*.go")
	if err != nil {
		return err
	}
	for _, name := range old {
		if _, ok := want[filepath.Base(name)]; !ok {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	for name, text := range want {
		file := filepath.Join("kernels", name)
		if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, text) {
			continue // its time stays, by which go test knows that it has not changed
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
