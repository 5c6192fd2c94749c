package build

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// StaticTimeout is how long the Go code of a qd.Static may take: QD_STATIC_TIMEOUT, a
// duration or a number of seconds. Any other text is an error.
func StaticTimeout() (time.Duration, error) {
	text := strings.TrimSpace(os.Getenv("QD_STATIC_TIMEOUT"))
	if text == "" {
		return 10 * time.Second, nil
	}
	d, err := time.ParseDuration(text)
	if seconds, e := strconv.ParseFloat(text, 64); e == nil {
		d, err = time.Duration(seconds*float64(time.Second)), nil
	}
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("QD_STATIC_TIMEOUT=%s: use a duration such as 30s or 2m, or a number of seconds", text)
	}
	return d, nil
}
