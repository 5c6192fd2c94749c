package race

import (
	"testing"

	"github.com/qdgen/qd"
)

func launch(t *testing.T, kernel any) {
	dev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	sums, x := make([]float32, 8), make([]float32, 100)
	if _, isGrid := kernel.(func(qd.Grid, []float32, []float32)); isGrid {
		err = dev.Run(kernel, sums, x)
	} else {
		err = dev.Launch(kernel, qd.Dim(len(x)), sums, x)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestAdd(t *testing.T)    { launch(t, add) }
func TestShift(t *testing.T)  { launch(t, shift) }
func TestAtomic(t *testing.T) { launch(t, atomic) }
func TestSmooth(t *testing.T) { launch(t, smooth) }
func TestPhases(t *testing.T) { launch(t, phases) }

func TestNeighbours(t *testing.T) { launch(t, neighbours) }
func TestWaiting(t *testing.T)    { launch(t, waiting) }
func TestLanes(t *testing.T)      { launch(t, lanes) }
func TestStretches(t *testing.T)  { launch(t, stretches) }
