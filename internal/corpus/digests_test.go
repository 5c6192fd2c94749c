package corpus

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

var textsDir = flag.String("texts", "", "make TestDigests write the kernels' texts below this directory, instead of comparing")

// digestsFile has a line for each kernel and target: the case, the kernel, the target, and
// the digest of its text. Git merges it line by line, see .gitattributes: where two
// branches have changed one text there are two lines then, and -update writes the right one.
const digestsFile = root + "/testdata/digests.txt"

// digestTargets are the targets, by what the sections of their texts are called.
var digestTargets = map[string]func(*ssa.Module) string{
	sectionSSA: (*ssa.Module).String, sectionCPP: emitCPP, sectionCUDA: emitCUDA,
}

// saved are the digests that TestDigests makes. With -update TestMain writes them.
var saved digestList

// A digestList has the digests of the kernels' texts, by case, kernel and target: "c k cpp".
type digestList struct {
	mu   sync.Mutex
	sums map[string]string
}

func (l *digestList) add(f *File, k *Kernel, target, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sums == nil {
		l.sums = map[string]string{}
	}
	l.sums[digestKey(f, k, target)] = digest(text)
}

func digestKey(f *File, k *Kernel, target string) string {
	return f.Name + " " + k.Name + " " + target
}

// digest is enough of a text's hash that no two texts of one kernel have the same.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%x", sum[:8])
}

// TestDigests compares the digests of every kernel's texts with those of testdata/digests.txt, and
// names the kernels of which a text has changed. Most texts are held only by it: no
// text need be as it is, but nobody should change one without knowing.
func TestDigests(t *testing.T) {
	t.Run("kernels", func(t *testing.T) {
		forEachKernel(t, func(t *testing.T, f *File, k *Kernel) {
			m := optimized(t, f, k)
			if followsGo(f) {
				return
			}
			for target, print := range digestTargets {
				text := print(m)
				saved.add(f, k, target, text)
				if *textsDir != "" {
					writeText(t, filepath.Join(*textsDir, f.Name, k.Name+"."+target), text)
				}
			}
		})
	})
	if *update || *textsDir != "" {
		return
	}
	want, err := readDigests()
	if err != nil {
		t.Fatal(err)
	}
	if changed := changedTexts(want, saved.sums, allKernels()); len(changed) > 0 {
		t.Errorf(`the texts of %d kernels are not those of %s:
%s
To see what has changed since the last commit, or since another one:
	scripts/diff-texts.sh [COMMIT]
To accept it:
	go test ./internal/corpus -run 'TestDigests|TestGolden' -update`,
			len(changed), digestsFile, strings.Join(changed, "\n"))
	}
}

// followsGo reports whether a case has code of the standard library in it, which is another one in another release of Go.
func followsGo(f *File) bool {
	file, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Source, parser.ImportsOnly)
	if err != nil {
		return false // the front end says so
	}
	for _, i := range file.Imports {
		switch name := strings.Trim(i.Path.Value, `"`); {
		case name == load.QDPath || strings.HasPrefix(name, load.QDPath+"/"):
		case name == "unsafe" || name == "errors" || name == "math" || strings.HasPrefix(name, "math/"): // they are ours
		default:
			return true
		}
	}
	return false
}

func writeText(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// allKernels are the cases and names of all kernels that have digests: "c k".
func allKernels() map[string]bool {
	all := map[string]bool{}
	for _, f := range files {
		if followsGo(f) {
			continue
		}
		for _, k := range f.Kernels {
			all[f.Name+" "+k.Name] = true
		}
	}
	return all
}

// changedTexts names the kernels of which a text is not the expected one, and the texts: "c k: cpp
// cu". A test of some kernels leaves the others alone.
func changedTexts(want map[string][]string, got map[string]string, all map[string]bool) []string {
	changed := map[string][]string{}
	note := func(key, what string) {
		i := strings.LastIndexByte(key, ' ')
		changed[key[:i]] = append(changed[key[:i]], key[i+1:]+what)
	}
	for key, sum := range got {
		switch w := want[key]; {
		case len(w) == 0:
			note(key, " is new")
		case len(w) > 1:
			note(key, " has two digests, of two branches")
		case w[0] != sum:
			note(key, "")
		}
	}
	for key := range want {
		if !all[key[:strings.LastIndexByte(key, ' ')]] {
			note(key, " is of no kernel")
		}
	}
	var lines []string
	for _, kernel := range slices.Sorted(maps.Keys(changed)) {
		lines = append(lines, kernel+": "+strings.Join(slices.Sorted(slices.Values(changed[kernel])), ", "))
	}
	return lines
}

// readDigests reads the expected digests.
func readDigests() (map[string][]string, error) {
	text, err := os.ReadFile(digestsFile)
	if err != nil {
		return nil, err
	}
	want := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		at := strings.LastIndexByte(line, ' ')
		if at < 0 || strings.Count(line, " ") != 3 {
			return nil, fmt.Errorf("%s: the line %q is not that of a digest", digestsFile, line)
		}
		want[line[:at]] = append(want[line[:at]], strings.TrimSpace(line[at:]))
	}
	return want, nil
}

// write writes the digests; those of kernels that the test has not looked at stay.
func (l *digestList) write() error {
	if l.sums == nil {
		return nil
	}
	sums := l.sums
	old, err := readDigests()
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	all := allKernels()
	for key, s := range old {
		if _, ok := sums[key]; !ok && all[key[:strings.LastIndexByte(key, ' ')]] {
			sums[key] = s[0]
		}
	}
	var b bytes.Buffer
	for _, key := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintln(&b, key, sums[key])
	}
	return os.WriteFile(digestsFile, b.Bytes(), 0o666)
}

func TestChangedTexts(t *testing.T) {
	want := map[string][]string{"c k cpp": {"1"}, "c k ssa": {"2"}, "c l cpp": {"3", "4"}, "d m cpp": {"5"}, "gone n cpp": {"6"}, "e o cpp": {"7"}}
	got := map[string]string{"c k cpp": "1", "c k ssa": "8", "c k cu": "9", "c l cpp": "4", "d m cpp": "5"}
	all := map[string]bool{"c k": true, "c l": true, "d m": true, "e o": true}
	lines := []string{"c k: cu is new, ssa", "c l: cpp has two digests, of two branches", "gone n: cpp is of no kernel"}
	if have := changedTexts(want, got, all); !slices.Equal(have, lines) {
		t.Errorf("changed are\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(lines, "\n"))
	}
}
