package emit_test

// The functions of TestInterior: it compiles this text for the CPU, and compares
// with what Go makes of it. i and j are a thread's indices in a launch of n rows of m;
// a and b may be anything.

func clampedInterior(i, j, n, m, a, b int) int {
	return max(j-1, 0) + 3*min(j+1, m-1) + 5*max(min(j+2, m-1), 1) + 7*max(0, min(m-1, j-3)) + 11*min(max(2+j, 0), m+5)
}

func boundedInterior(i, j, n, m, a, b int) int {
	return max(j-3, a) + 3*min(j+2, b) + 5*min(j+1, 2*b-a) + 7*max(j, min(a, i)-n/2) + 11*min(j-1, b%7+i)
}

func testedInterior(i, j, n, m, a, b int) int {
	x := 0
	if j > 0 {
		x += 1
	}
	if j-1 >= 0 && j+1 < m {
		x += 2
	}
	if !(j < m-1) || 0 > j-2 {
		x += 4
	}
	if j+2 <= b {
		x += 8
	} else {
		x -= 3
	}
	if j >= b-1 {
		x += 16
	}
	if a < j+3 != (j < i) {
		x += 32
	}
	if m-1 == j || j != 0 && j <= 1 {
		x += 64
	}
	return x
}

func farInterior(i, j, n, m, a, b int) int {
	x := min(j, 3) + 3*max(j-20, 0) + 5*min(j+500000000, b) + 7*max(j-1000000000, a)
	if j < 70 {
		x += 11
	}
	if j > 9223372036854775806 || j == a || j >= -9223372036854775807 && j < 9223372036854775807 {
		x += 13
	}
	if j+9223372036854775807 < m || j != 5 {
		x += 17
	}
	return x
}

func calledInterior(i, j, n, m, a, b int) int {
	inner := withinInterior(j-1, m) + 3*withinInterior(j+1, m)
	return inner + 5*sometimesInterior(j, m) + 7*sometimesInterior(b, n) + 11*passedInterior(j+2, b)
}

func withinInterior(x, n int) int { return max(0, min(x, n-1)) }

// Not always of the index: a clamp here is no place to split at, nor is one of its result.
func sometimesInterior(x, n int) int { return min(max(x, 1)+1, n) }

func passedInterior(x, b int) int {
	if x > b {
		return withinInterior(x-2, b)
	}
	return 1
}

func wrappedInterior(i, j, n, m, a, b int) int {
	d, e := max(b, 1), 2*b+1
	before, after := (j-1+m)%m, (j+1)%m
	x := before + 3*after + 5*((j+d-2)%d) + 7*((j+3)%d) + 11*((j-1+e)%e) + 13*((j+m+m-1)%m) + 17*((j-2)%m) + 19*((3+j+m)%m)
	return x + 23*min(before, m-3) + 29*((j+n)%m) + 31*((j+2)%100) + 37*((j+1)%3) + 41*wrapInterior(j-3, m) + 43*wrapInterior(j, d) + 47*max(after-2, 0)
}

func wrapInterior(x, n int) int { return (x + n) % n }

func loopedInterior(i, j, n, m, a, b int) int {
	x := 0
	for k := -2; k <= 2; k++ {
		x = 3*x + max(j+k, 0) + 5*min(j-k, m-1) + 7*((j+m+k)%m)
		if j+k >= m || k+j < 1 || j-k == m-1 {
			x ^= 5
		}
		for l := 3; l > 0; l -= 2 {
			if j+k+l < b {
				x += 2
			}
			x += 11*max(l-j, a) + 13*min(k-l+j, b)
		}
	}
	for k := 0; k < 3; k, x = k+1, x+3*min(j+k, m-1) {
		x += max(j-k, 1)
	}
	return x
}

func leftInterior(i, j, n, m, a, b int) int {
	if i == 0 || j == 0 || i == n-1 || j == m-1 {
		return -1
	}
	return j
}

// Where a comparison of the index ends up in a variable, and a clamp in a clamp.
func namedInterior(i, j, n, m, a, b int) int {
	first, last := j == 0, j >= m-1
	right := min(j+1, m-1)
	left := max(j-1, 0)
	both := min(max(right, 2), b)
	if first != last && right > left {
		both++
	}
	if left < 2 {
		return both + left
	}
	return both - right
}
