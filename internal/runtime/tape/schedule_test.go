package tape

import (
	"math"
	"testing"
)

// fewest is how many steps have to be run again, from the definition: by all choices for the next snapshot.
func fewest(memo map[[2]int]int, steps, snapshots int) int {
	switch {
	case steps == 1:
		return 0
	case snapshots == 0:
		return math.MaxInt / 2
	}
	key := [2]int{steps, snapshots}
	if n, ok := memo[key]; ok {
		return n
	}
	best := math.MaxInt
	for m := 1; m < steps; m++ {
		best = min(best, m+fewest(memo, m, snapshots)+fewest(memo, steps-m, snapshots-1))
	}
	memo[key] = best
	return best
}

// scheduled is how many steps the schedule runs again.
func scheduled(steps, snapshots int) int {
	if steps == 1 {
		return 0
	}
	m := advance(steps, snapshots)
	return m + scheduled(m, snapshots) + scheduled(steps-m, snapshots-1)
}

// No schedule runs fewer steps again.
func TestScheduleOptimal(t *testing.T) {
	memo := make(map[[2]int]int)
	for steps := 1; steps <= 90; steps++ {
		for snapshots := 1; snapshots <= 12; snapshots++ {
			if got, want := scheduled(steps, snapshots), fewest(memo, steps, snapshots); got != want {
				t.Errorf("%d steps, %d snapshots: %d steps are run again, not %d", steps, snapshots, got, want)
			}
		}
	}
	// The closed form of Griewank and Walther.
	for _, tt := range []struct{ steps, snapshots, times int }{{1000, 17, 3}, {1000, 10, 4}, {10000, 38, 3}, {200, 9, 3}, {200, 199, 1}} {
		if reach(tt.snapshots, tt.times-1) >= tt.steps || reach(tt.snapshots, tt.times) < tt.steps {
			t.Errorf("%v: %d and %d steps can be reversed", tt, reach(tt.snapshots, tt.times-1), reach(tt.snapshots, tt.times))
		}
		if got, want := scheduled(tt.steps, tt.snapshots), tt.times*tt.steps-reach(tt.snapshots+1, tt.times-1); got != want {
			t.Errorf("%v: %d steps are run again, not %d", tt, got, want)
		}
	}
}

// The table in docs/language.md.
func TestScheduleTable(t *testing.T) {
	for _, tt := range []struct{ steps, snapshots, again, withFive int }{{10, 2, 20, 13}, {100, 7, 255, 316}, {1000, 17, 2810, 6284}, {10000, 38, 29180, 112868}} {
		if n := enough(tt.steps); n != tt.snapshots || scheduled(tt.steps, n) != tt.again || scheduled(tt.steps, 5) != tt.withFive {
			t.Errorf("%d steps: %d snapshots, %d steps are run again, %d with 5", tt.steps, n, scheduled(tt.steps, n), scheduled(tt.steps, 5))
		}
	}
}

func TestScheduleReach(t *testing.T) {
	for _, tt := range []struct{ snapshots, times, want int }{
		{3, -1, 0}, {3, 0, 1}, {0, 5, 1}, {1, 5, 6}, {5, 1, 6}, {2, 2, 6}, {3, 3, 20}, {17, 3, 1140}, {1000, 1000, math.MaxInt},
	} {
		if got := reach(tt.snapshots, tt.times); got != tt.want {
			t.Errorf("reach(%d, %d) is %d, not %d", tt.snapshots, tt.times, got, tt.want)
		}
	}
	for steps, want := range map[int]int{1: 1, 2: 1, 4: 1, 5: 2, 10: 2, 11: 3, 200: 9, 1000: 17, 1140: 17, 1141: 18} {
		if got := enough(steps); got != want {
			t.Errorf("%d steps: %d snapshots, not %d", steps, got, want)
		}
	}
}
