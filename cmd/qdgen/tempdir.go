package main

import (
	"fmt"
	"os"

	advice "github.com/qdgen/qd/internal/report"
)

// setTemp says what to do where there is no place for temporary files.
var setTemp = advice.SetTemp()

// tempDir makes a directory for temporary files.
func tempDir(pattern string) (string, error) {
	dir, err := os.MkdirTemp("", pattern)
	if err != nil {
		return "", fmt.Errorf("there is no directory for temporary files: %w; %s", err, setTemp)
	}
	return dir, nil
}
