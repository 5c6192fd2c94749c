// Package processor tells the processor time that this process has used, all threads together, and that of the
// processes it has started. Time by the clock says little where others use the machine too.
package processor

import "time"

// Both is the time of the process and of the processes that it has started.
func Both() time.Duration { return Own() + Children() }
