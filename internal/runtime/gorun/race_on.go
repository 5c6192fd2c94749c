//go:build race

package gorun

// raceDetector says that the program is built with -race.
const raceDetector = true
