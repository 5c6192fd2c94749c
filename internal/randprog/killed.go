package randprog

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
)

// A killed is the error of a C++ compiler that was killed, by the system or by its time limit. That is no finding, as
// the machine may have too little memory or time for the text. But if a single program takes all the time, which is enough
// for many, that is a finding: the compiler may never end.
type killed struct {
	err  error
	slow bool // by the time limit
}

func (k killed) Error() string {
	if k.slow {
		return fmt.Sprintf("the compiler did not end in time, and was killed: %v", k.err)
	}
	return fmt.Sprintf("the compiler was killed: %v", k.err)
}

// isKilled reports whether an error of a compiler's process, or what it has printed, says that it, or a process that it
// has started, was killed. One that crashes ends by other signals.
func isKilled(err error, log string) bool {
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		if s, ok := exit.Sys().(syscall.WaitStatus); ok && s.Signaled() && (s.Signal() == syscall.SIGKILL || s.Signal() == syscall.SIGTERM) {
			return true
		}
	}
	// The drivers of gcc and of clang, about what they have started.
	return strings.Contains(log, "Killed signal terminated program") || strings.Contains(log, "unable to execute command: Killed")
}

// compileFewer goes on with fewer programs where the compiler was killed: without those for which it is killed alone,
// or else with one half. It gives how many programs it has left out.
func (b *batch) compileFewer(side string, programs []*compiled, err error) int {
	out := programs
	if len(programs) > 1 {
		half := len(programs) / 2
		if bad := b.compileSide(side, programs[:half]) + b.compileSide(side, programs[half:]); bad > 0 {
			return bad
		}
		out = programs[half:] // each half is taken, but not both at once
	}
	for _, c := range out {
		b.Killed = append(b.Killed, fmt.Sprintf("%s of seed %d: %v", side, c.Seed, err))
		b.leaveOut(c)
	}
	return len(out)
}
