// The command gen writes package kernels from the corpus. It is run by go
// generate in the directory of package corpus.
package main

import (
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
		if err := os.WriteFile(filepath.Join("kernels", name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
