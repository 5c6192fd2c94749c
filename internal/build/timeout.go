package build

import (
	"os"
	"strconv"
	"time"
)

// StaticTimeout is how long the Go code of a qd.Static may take: QD_STATIC_TIMEOUT, a
// duration or a number of seconds.
func StaticTimeout() time.Duration {
	const usual = 10 * time.Second
	text := os.Getenv("QD_STATIC_TIMEOUT")
	d, err := time.ParseDuration(text)
	if seconds, e := strconv.ParseFloat(text, 64); e == nil {
		d, err = time.Duration(seconds*float64(time.Second)), nil
	}
	if err != nil || d <= 0 {
		return usual
	}
	return d
}
