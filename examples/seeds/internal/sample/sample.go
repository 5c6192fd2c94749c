// Package sample has what the samples of the seed documents share.
package sample

import (
	"errors"
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

// A Sample is a program in the form of a function, which prints its results. What it
// prints stands in the comment at its end.
type Sample struct {
	Name string // "modules/loop"
	Run  func()
}

// Check ends the program at an error: samples expect none.
func Check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// Wait waits for everything that was launched on the default device, so that what the
// kernels print is printed.
func Wait() {
	dev, err := qd.Default()
	Check(err)
	Check(dev.Wait())
}

// Device is the default device.
func Device() *qd.Device {
	dev, err := qd.Default()
	Check(err)
	return dev
}

// Refused prints what the front end, or the launch, has against a kernel: the messages
// and the advice, without the positions.
func Refused(err error) {
	var found *qd.Diagnostics
	var launch *qd.LaunchError
	switch {
	case errors.As(err, &found):
		for _, d := range found.List {
			fmt.Println(d.Msg)
			if d.Hint != "" {
				fmt.Println("help:", d.Hint)
			}
		}
	case errors.As(err, &launch):
		fmt.Println(launch.Reason)
	default:
		log.Fatalf("there is no diagnostic: %v", err)
	}
}
