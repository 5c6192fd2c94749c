//go:build !race

package qd

// raceDetector says that the program is built with -race.
const raceDetector = false
