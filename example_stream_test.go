package qd_test

import (
	"context"
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

// A stream runs its launches one after the other, while the program goes on.
func ExampleDevice_NewStream() {
	dev, err := qd.Default()
	if err != nil {
		log.Fatal(err)
	}
	s, err := dev.NewStream()
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	x := qd.From(dev, []int{1, 2, 3})
	for range 4 {
		if err := s.Launch(increment, qd.Dim(x.Len()), x); err != nil {
			log.Fatal(err)
		}
	}
	if err := s.Sync(context.Background()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x.Slice())
	// Output: [5 6 7]
}
