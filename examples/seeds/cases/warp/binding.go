package warp

import (
	"fmt"

	"github.com/qdgen/qd"
)

//qd:kernel
func readsOrder(t qd.Thread, x []int) { x[0] = qd.Static(first + 1) }

// Go initializes variables in the order in which they need each other: second comes first.
var (
	first  = second + 1
	second = makeSecond()
)

func makeSecond() int { return 40 }

// InitializedLater has a static expression over variables that are declared after the kernel. They have
// their values when it is evaluated.
func InitializedLater() {
	x := make([]int, 1)
	check(qd.Launch(readsOrder, qd.Dim(1), x))
	fmt.Println(x)
	// Output:
	// [42]
}

var prepared = 1

//qd:kernel
func addsPrepared(t qd.Thread, x []int) { x[t.ID()] += prepared }

// LateInPrepared changes a variable between two launches of one that was prepared before.
func LateInPrepared() {
	x := qd.From(device(), []int{0})
	launch, err := device().Bind(addsPrepared, qd.Dim(1), x)
	check(err)
	check(launch.Launch())
	prepared = 10
	check(launch.Launch())
	fmt.Println(x.Slice())
	// Output:
	// [11]
}
