package qd_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

// A graph repeats a sequence of launches.
func ExampleDevice_Record() {
	dev, err := qd.Default()
	if err != nil {
		log.Fatal(err)
	}
	x := qd.From(dev, []int{1, 2, 3})
	g, err := dev.Record(func(s *qd.Stream) error {
		return errors.Join(
			s.Launch(increment, qd.Dim(x.Len()), x),
			s.Launch(increment, qd.Dim(1), x), // the first element once more
		)
	})
	if err != nil {
		log.Fatal(err)
	}
	defer g.Close()
	for range 10 {
		if err := g.Launch(); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(x.Slice())
	// Output: [21 12 13]
}
