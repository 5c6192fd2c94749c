package peers

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/frontend"
)

var frontendOptions frontend.Options

// damagedCache runs a kernel in processes that share a cache, and damages the files
// that the first has left.
func damagedCache(c *check) {
	if c.dev.String() != "cpu" {
		c.Skip("device go has no cache")
	}
	cache := c.TempDir()
	start := func() (log string) {
		cmd := exec.CommandContext(c.Context(), os.Args[0], "-test.run=^TestInProcess$", "-test.v")
		// Also as QD_CACHE: a qd.Static that is run while packages are initialized opens the cache.
		cmd.Env = append(os.Environ(), "QD_LOG=info", "QD_CACHE="+cache, "QD_PEERS_CACHE="+cache)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Run(); err != nil {
			c.Fatalf("%v\n%s", err, &out)
		}
		return out.String()
	}
	if log := start(); !strings.Contains(log, "(compiled)") {
		c.Fatalf("nothing is compiled:\n%s", log)
	}
	if log := start(); strings.Contains(log, "(compiled)") {
		c.Fatalf("it is compiled again:\n%s", log)
	}
	damaged := 0
	err := filepath.WalkDir(cache, func(name string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".so" {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for i := range data {
			data[i] ^= byte(i)
		}
		damaged++
		return os.WriteFile(name, data, 0o600)
	})
	if err != nil || damaged == 0 {
		c.Fatalf("%d files damaged: %v", damaged, err)
	}
	if log := start(); !strings.Contains(log, "(compiled)") {
		c.Errorf("a damaged file is used:\n%s", log)
	}
}

// TestInProcess is what damagedCache starts.
func TestInProcess(t *testing.T) {
	cache := os.Getenv("QD_PEERS_CACHE")
	if cache == "" {
		t.Skip("it is started by another test")
	}
	t.Setenv("QD_CACHE", cache)
	dev, err := qd.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	gives(&check{t, dev}, []int{2, 1}, rename)
}
