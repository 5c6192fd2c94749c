package cache

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// defaultSize is how large the cache may grow where QD_CACHE_SIZE is not set. It
// holds tens of thousands of modules of one kernel each.
const defaultSize = 1 << 30

// parseSize reads a QD_CACHE_SIZE: "500000", "64K", "500 MB", "1GiB". Units are
// powers of 1024. A size of 0 is no limit.
func parseSize(s string) (int64, error) {
	if s == "" {
		return defaultSize, nil
	}
	m := regexp.MustCompile(`^\s*(\d+)\s*(?:([KMGT])(?:I?B)?|B)?\s*$`).FindStringSubmatch(strings.ToUpper(s))
	if m == nil {
		return 0, &SizeError{Value: s}
	}
	shift := 0
	if m[2] != "" {
		shift = 10 * (1 + strings.Index("KMGT", m[2]))
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil || n > math.MaxInt64>>shift {
		return 0, &SizeError{Value: s}
	}
	return n << shift, nil
}
