package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// explaining measures the pages of qdgen explain of the largest examples: qdgen's own processor time beside that of the
// compilers, as the command tells them.
func explaining() ([]result, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, missing("go, which the pages need, is not in PATH")
	}
	if err != nil {
		return nil, fmt.Errorf("go list -m %s: %v", module, err)
	}
	root := strings.TrimSpace(string(out))
	var results []result
	for _, example := range []string{"mpm", "raymarch", "fluid"} {
		var own, compilers []time.Duration
		for i := range *repeats + 1 {
			a, b, err := explained(root, example)
			if err != nil {
				return results, err
			}
			if i > 0 { // the first fills caches
				own, compilers = append(own, a), append(compilers, b)
			}
		}
		results = append(results, result{name: "the page of examples/" + example, ours: median(own), theirs: median(compilers), bound: bound{time: time.Second},
			note: "processor time: of qdgen, with parsing, type-checking and all stages, beside that of clang, NVRTC and nvdisasm"})
	}
	return results, nil
}

// timesOfPage are what qdgen explain --times prints.
var timesOfPage = regexp.MustCompile(`processor time: qdgen ([\d.]+) s .*, compilers ([\d.]+) s`)

// explained makes the page of an example.
func explained(root, example string) (own, compilers time.Duration, err error) {
	cmd := exec.Command(filepath.Join(root, "scripts", "pages.sh"), example)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, 0, fmt.Errorf("%v: %v\n%s", cmd, err, out)
	}
	m := timesOfPage.FindSubmatch(out)
	if m == nil {
		return 0, 0, fmt.Errorf("%v tells no times: %s", cmd, out)
	}
	if own, err = time.ParseDuration(string(m[1]) + "s"); err == nil {
		compilers, err = time.ParseDuration(string(m[2]) + "s")
	}
	return own, compilers, err
}
