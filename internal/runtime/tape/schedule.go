package tape

import "math"

// The schedule is that of Griewank and Walther, "Algorithm 799: Revolve" (2000): with s snapshots and each step run
// again at most r times, as many steps as there are ways to choose s of s+r can be reversed, and no schedule runs fewer
// steps.

// reach is how many steps can be reversed with some snapshots, if each is run again so many times at most. It is
// math.MaxInt where there are more.
func reach(snapshots, times int) int {
	if times < 0 {
		return 0
	}
	n := 1
	for i := 1; i <= min(snapshots, times); i++ {
		// The product of i neighbouring numbers can be divided by i!.
		factor := max(snapshots, times) + i
		if n > math.MaxInt/factor {
			return math.MaxInt
		}
		n = n * factor / i
	}
	return n
}

// advance is how many of some steps, two at least, to run before the next snapshot, or before the last step. There is a
// snapshot before the first of them, which is among those that there may be.
func advance(steps, snapshots int) int {
	times := 1
	for reach(snapshots, times) < steps {
		times++
	}
	return min(reach(snapshots, times-1), steps-reach(snapshots-1, times-1))
}

// mostAgain is how often a step is run again at most where nothing says how many snapshots there may be.
const mostAgain = 3

// enough is the least number of snapshots for so many steps, if nothing else says how many there may be.
func enough(steps int) int {
	n := 1
	for reach(n, mostAgain) < steps {
		n++
	}
	return n
}
