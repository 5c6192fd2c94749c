package cache

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// helperBuild builds the module k in the cache args[0], saying on standard output
// whether it was a hit; each real build appends a line to the file args[1].
func helperBuild(args []string) error {
	c, err := Open(args[0])
	if err != nil {
		return err
	}
	defer c.Close()
	e, hit, err := c.Build(key("k"), func() (*Artifact, error) {
		f, err := os.OpenFile(args[1], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		fmt.Fprintln(f, os.Getpid())
		time.Sleep(200 * time.Millisecond)
		return artifact("k", 30_000), nil
	})
	if err != nil {
		return err
	}
	data, err := os.ReadFile(e.Path)
	if err != nil || string(data) != string(artifact("k", 30_000).Data) {
		return fmt.Errorf("wrong artifact: %v", err)
	}
	fmt.Println(hit)
	return nil
}

// helperHang begins to build the module k, says so, and never ends.
func helperHang(args []string) error {
	c, err := Open(args[0])
	if err != nil {
		return err
	}
	_, _, err = c.Build(key("k"), func() (*Artifact, error) {
		fmt.Println("building")
		time.Sleep(time.Hour)
		return nil, nil
	})
	return err
}

// writerKeys and writerSize are what helperWriter builds.
const (
	writerKeys = 20
	writerSize = 200_000
)

// helperWriter builds, reads, indexes and clears at random until it is killed.
func helperWriter(args []string) error {
	fmt.Println("begun")
	for {
		c, err := Open(args[0])
		if err != nil {
			return err
		}
		name := strconv.Itoa(rand.IntN(writerKeys))
		_, _, err = c.Build(key(name), func() (*Artifact, error) { return artifact(name, writerSize), nil })
		if err != nil {
			return err
		}
		if err := c.StoreIndex(key("first of "+name), Record{Second: key(name), Meta: []byte(`"` + strings.Repeat("x", 10_000) + `"`)}); err != nil {
			return err
		}
		if rand.IntN(10) == 0 {
			if _, _, err := c.Clear(); err != nil {
				return err
			}
		}
	}
}

// Processes that build one module at once: one builds, the others wait and hit.
func TestManyProcessesBuildOnce(t *testing.T) {
	dir, builds := t.TempDir(), filepath.Join(t.TempDir(), "builds")
	const n = 5
	var outs [n]strings.Builder
	wait := make([]func() error, n)
	for i := range n {
		cmd := helper(t, "build", dir, builds)
		cmd.Stdout = &outs[i]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		wait[i] = cmd.Wait
	}
	hits := 0
	for i := range n {
		if err := wait[i](); err != nil {
			t.Error(err)
		}
		if outs[i].String() == "true\n" {
			hits++
		}
	}
	text, err := os.ReadFile(builds)
	if err != nil || strings.Count(string(text), "\n") != 1 || hits != n-1 {
		t.Errorf("builds by %q (%v), %d hits; want one build and %d hits", text, err, hits, n-1)
	}
	c := open(t, dir)
	clean(t, c)
	if e := hit(t, c, "k", 30_000); e.Hits != n {
		t.Errorf("%d hits are recorded, want %d", e.Hits, n)
	}
}

// A builder that is killed leaves no lock that anybody waits for.
func TestKilledBuilder(t *testing.T) {
	dir := t.TempDir()
	cmd := helper(t, "hang", dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("the helper says %q: %v", line, err)
	}
	c := open(t, dir)
	done := make(chan struct{})
	go func() {
		defer close(done)
		build(t, c, "k", 1000)
	}()
	select {
	case <-done:
		t.Fatal("built while another process is building")
	case <-time.After(100 * time.Millisecond):
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	select {
	case <-done:
	case <-time.After(5 * time.Minute):
		t.Fatal("still waiting for a builder that was killed")
	}
	clean(t, c)
}

// Writers are killed at random times: what is visible is whole, always.
func TestKilledWriters(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 5
	}
	dir := t.TempDir()
	c := open(t, dir)
	leftovers := 0
	for range rounds {
		cmd := helper(t, "writer", dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(out, make([]byte, len("begun\n"))); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.Int64N(int64(15 * time.Millisecond))))
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil || strings.Contains(err.Error(), "exit status") {
			t.Fatalf("the writer ended by itself: %v", err)
		}
		problems, err := c.Verify()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range problems {
			t.Errorf("%s %s: %v", p.Kind, p.Path, p.Err)
		}
		left, err := readDir(c.kept.tmp())
		if err != nil {
			t.Fatal(err)
		}
		leftovers = max(leftovers, len(left))
	}
	t.Logf("%d leftovers of killed writers in tmp", leftovers)
	for i := range writerKeys {
		name := strconv.Itoa(i)
		e, _, err := c.Build(key(name), func() (*Artifact, error) { return artifact(name, writerSize), nil })
		if err != nil {
			t.Fatal(err)
		}
		sameData(t, e, name, writerSize)
	}
	// In time, what they left behind goes too.
	old := time.Now().Add(-2 * leftoverLife)
	for _, dir := range []string{c.kept.tmp(), c.kept.locks()} {
		left, err := readDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range left {
			if err := os.Chtimes(filepath.Join(dir, d.Name()), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, _, err := c.Trim(); err != nil {
		t.Fatal(err)
	}
	clean(t, c)
}
