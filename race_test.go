//go:build race

package qd_test

const raceDetector = true

var sequentialOnCUDA []string
