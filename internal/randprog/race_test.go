//go:build race

package randprog

const raceDetector = true
