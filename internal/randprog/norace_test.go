//go:build !race

package randprog

const raceDetector = false
