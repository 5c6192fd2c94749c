package randprog

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/qdgen/qd/internal/randprog/harness"
)

// An outcome is what one side made of a program.
type outcome struct {
	hashes  []string      // of each launch; "fault: ..." of one that failed
	crashed string        // how the process ended while the program ran
	took    time.Duration // by the launch that took longest
}

// compare runs all sides and compares them.
func (b *batch) compare() ([]Finding, error) {
	outcomes := map[string]map[string]*outcome{}
	for _, side := range []string{"go", "cpp", "cuda"} {
		o, err := b.runSide(side)
		if err != nil {
			return nil, err
		}
		outcomes[side] = o
	}
	for _, c := range b.ok {
		want, cpp, cuda := outcomes["go"][c.Name], outcomes["cpp"][c.Name], outcomes["cuda"][c.Name]
		switch {
		case want.crashed != "":
			b.found(c.Program, GoUnfinished, 0, want.crashed)
		case cpp.crashed != "":
			b.found(c.Program, CPPCrashed, len(cpp.hashes), cpp.crashed)
		case cuda.crashed != "":
			b.found(c.Program, CUDACrashed, len(cuda.hashes), cuda.crashed)
		default:
			b.compareOne(c, want, cpp, cuda)
		}
	}
	if b.Export != nil {
		b.Export(b.portable(outcomes))
	}
	return b.findings, nil
}

func (b *batch) compareOne(c *compiled, want, cpp, cuda *outcome) {
	faulted, unordered := false, false
	for i, w := range want.hashes {
		b.Launched++
		if strings.HasPrefix(w, "fault") {
			faulted = true
		}
		if cuda.hashes[i] == harness.Large {
			b.Large++
			cuda.hashes[i] = w
		}
		detail := fmt.Sprintf("launch %d over %v: go %s, cpp %s, cuda %s", i, c.job.Launches[i].Dims, w, cpp.hashes[i], cuda.hashes[i])
		kind := BothDiffer
		switch {
		case strings.HasPrefix(w, "fault") && !c.Checked:
			kind = GoFaulted
		case w == cpp.hashes[i] && w == cuda.hashes[i]:
			continue
		case samePlace(w, cpp.hashes[i]) && samePlace(w, cuda.hashes[i]),
			c.Checked && cpp.hashes[i] == cuda.hashes[i] && pastLength(cpp.hashes[i]),
			cpp.hashes[i] == cuda.hashes[i] && sameNil(w, cpp.hashes[i]):
			unordered = true
			continue
		case w == cpp.hashes[i]:
			kind = CUDADiffers
		case w == cuda.hashes[i]:
			kind = CPPDiffers
		}
		b.findings = append(b.findings, Finding{Program: c.Program, Kind: kind, Launch: i, Detail: detail, Want: w})
		return
	}
	if faulted {
		b.Faulted++
	}
	if unordered {
		b.Unordered = append(b.Unordered, c.Name)
	}
}

// samePlace reports whether two outcomes are panics in the same line. Of two in one
// statement Go leaves open which comes first, and gc stores some values of a parallel
// assignment before it has computed all indices on its left.
func samePlace(a, b string) bool {
	fileLine := func(s string) string {
		parts := strings.SplitN(s, ":", 4)
		return strings.Join(parts[:min(3, len(parts))], ":")
	}
	return strings.HasPrefix(a, "fault: ") && strings.Count(a, ":") >= 3 && fileLine(a) == fileLine(b)
}

// sameNil reports whether two outcomes are nil dereferences with the same memory behind them, be it in different lines:
// where the value that is read is not used, gc leaves the check to the next access by the same pointer.
func sameNil(a, b string) bool {
	without := func(s string) string {
		_, rest, _ := strings.Cut(s, ".go:")
		_, rest, _ = strings.Cut(rest, ": ")
		return rest
	}
	return strings.HasPrefix(a, "fault: ") && strings.HasPrefix(b, "fault: ") && strings.Contains(a, "nil pointer dereference") && without(a) == without(b)
}

// pastLength reports whether an outcome is the panic of a slice expression that goes past the
// slice's length. Slices of kernels have no capacity, up to which Go lets it go.
func pastLength(outcome string) bool {
	return strings.HasPrefix(outcome, "fault: ") && strings.Contains(outcome, "slice bounds out of range [:") && strings.Contains(outcome, "with capacity")
}

// sideTimeout is how long a batch may run on a side.
const sideTimeout = 5 * time.Minute

// runSide runs all programs on one side: after a crash those that follow in
// another process.
func (b *batch) runSide(side string) (map[string]*outcome, error) {
	outcomes := map[string]*outcome{}
	rest := b.ok
	for len(rest) > 0 {
		job := harness.Job{Side: side, Library: b.library(side), Sites: b.sites[side]}
		for _, c := range rest {
			job.Programs = append(job.Programs, c.job)
		}
		out, crash, err := b.runJob(side, &job)
		if err != nil {
			return nil, err
		}
		var last *outcome
		done := 0
		for line := range strings.Lines(out) {
			words := strings.SplitN(strings.TrimSpace(line), " ", 4)
			switch words[0] {
			case "begin":
				last = &outcome{}
				outcomes[words[1]] = last
				done++
			case "hash":
				last.hashes = append(last.hashes, words[3])
			case "fault":
				last.hashes = append(last.hashes, "fault: "+words[3])
			case "took":
				micros, _ := strconv.Atoi(words[3])
				last.took = max(last.took, time.Duration(micros)*time.Microsecond)
			}
		}
		switch {
		case crash == "" && done == len(rest):
			return outcomes, nil
		case last == nil:
			return nil, fmt.Errorf("side %s: %s\n%s", side, crash, out)
		}
		last.crashed = crash
		rest = rest[done:]
	}
	return outcomes, nil
}

// runJob runs the batch's binary; crash says how it ended when not well.
func (b *batch) runJob(name string, job *harness.Job) (out, crash string, err error) {
	text, err := json.Marshal(job)
	if err != nil {
		return "", "", err
	}
	file := filepath.Join(b.dir, name+".json")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return "", "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), sideTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(b.dir, "go.exe"), file)
	cmd.Dir = b.dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := b.run("run "+name, cmd); err != nil {
		crash = fmt.Sprintf("%v %s", err, firstLines(stderr.String(), 3))
		if ctx.Err() != nil {
			crash = "did not end"
		}
	}
	return stdout.String(), crash, nil
}

func firstLines(s string, n int) string {
	lines := strings.SplitN(s, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "; ")
}
