package origin

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// processStart is when a process was started, zero if that cannot be told.
func processStart(pid int) time.Time {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	at := bytes.LastIndexByte(text, ')') // the end of a name, which may have anything in it
	if err != nil || at < 0 {
		return time.Time{}
	}
	// The 22nd field, of which two are before the place, is in hundredths of a second since the machine
	// was started.
	fields := strings.Fields(string(text[at+1:]))
	if len(fields) < 20 {
		return time.Time{}
	}
	ticks, err := strconv.ParseInt(fields[19], 10, 64)
	var now unix.Timespec
	if err != nil || unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
		return time.Time{}
	}
	return time.Now().Add(time.Duration(ticks)*10*time.Millisecond - time.Duration(now.Nano()))
}
