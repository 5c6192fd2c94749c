package cache

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
)

// namespaceVar is set in a process that a test has started in a namespace.
const namespaceVar = "QD_CACHE_TEST_NAMESPACE"

// inNamespace runs the test again in a process that is user uid in a user and
// mount namespace of its own, and reports whether it is that process. With uid 0
// it can mount, and with another one it is bound by modes, whoever runs the tests.
func inNamespace(t *testing.T, uid int) bool {
	t.Helper()
	if os.Getenv(namespaceVar) == t.Name() {
		return true
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), namespaceVar+"="+t.Name())
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: uid, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: uid, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	var ended *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &ended):
		t.Skipf("no namespaces here: %v", err)
	case strings.Contains(string(out), "\n--- SKIP") || strings.Contains(string(out), "\n    --- SKIP"):
		t.Skipf("%s", out)
	case err != nil:
		t.Errorf("in a namespace: %v\n%s", err, out)
	case !strings.Contains(string(out), "--- PASS: "+t.Name()):
		t.Errorf("the test did not run in its namespace:\n%s", out)
	}
	return false
}

// tmpfs mounts a file system of the given size on a new directory.
func tmpfs(t *testing.T, size int) string {
	t.Helper()
	return mount(t, t.TempDir(), size)
}

func mount(t *testing.T, dir string, size int) string {
	t.Helper()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "mode=700,size="+strconv.Itoa(size)); err != nil {
		t.Skipf("mounting is not allowed here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestFullDisk(t *testing.T) {
	if !inNamespace(t, 0) {
		return
	}
	log := testenv.Logged(t)
	ownTemp(t)
	c := open(t, tmpfs(t, 256<<10))
	build(t, c, "small", 20_000)
	log.WantNone(t)
	e := build(t, c, "large", 1<<20)
	log.Want(t, "not kept", "no space left on device", c.Dir())
	if strings.HasPrefix(e.Path, c.Dir()) {
		t.Errorf("the artifact is in %s", e.Path)
	}
	hit(t, c, "large", 1<<20)
	hit(t, c, "small", 20_000)
	// Nothing of what did not fit takes up room.
	build(t, c, "small too", 20_000)
	if err := c.StoreIndex(key("first"), Record{Second: key("small")}); err != nil {
		t.Error(err)
	}
	clean(t, c)
	log.WantNone(t)
	if list, err := c.List(); err != nil || len(list) != 2 {
		t.Errorf("List: %+v, %v; want 2 entries", list, err)
	}
	// A full disk can be cleared.
	filler := filepath.Join(c.Dir(), "filler")
	if err := os.WriteFile(filler, make([]byte, 1<<20), filePerm); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("filling the disk: %v", err)
	}
	if n, _, err := c.Clear(); n != 2 || err != nil {
		t.Errorf("Clear: %d, %v", n, err)
	}
}

func TestFullDiskAndFullTemp(t *testing.T) {
	if !inNamespace(t, 0) {
		return
	}
	log := testenv.Logged(t)
	t.Setenv("TMPDIR", tmpfs(t, 256<<10))
	c := open(t, tmpfs(t, 256<<10))
	e := build(t, c, "large", 1<<20)
	if !strings.HasPrefix(e.Path, "/dev/shm/") {
		t.Errorf("the artifact is in %s, want memory", e.Path)
	}
	log.Want(t, "not kept", "no space left")
	if err := c.Close(); err != nil {
		t.Error(err)
	}

	mount(t, "/dev/shm", 256<<10)
	_, _, err := c.Build(key("large"), func() (*Artifact, error) { return artifact("large", 1<<20), nil })
	var full *FullError
	if !errors.As(err, &full) || !errors.Is(err, syscall.ENOSPC) || full.Kernel != "large" {
		t.Errorf("Build: %v, want a *FullError", err)
	}
	build(t, c, "small", 10_000)
	clean(t, c)
}

func TestReadOnlyDisk(t *testing.T) {
	if !inNamespace(t, 0) {
		return
	}
	log := testenv.Logged(t)
	ownTemp(t)
	dir := tmpfs(t, 1<<20)
	c := open(t, dir)
	build(t, c, "kept", 1000)
	hit(t, c, "kept", 1000)
	damaged := build(t, c, "damaged", 1000)
	if err := os.Truncate(damaged.Path, 10); err != nil {
		t.Fatal(err)
	}
	if err := c.StoreIndex(key("f"), Record{Second: key("kept")}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("none", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	c = open(t, dir)
	if e := hit(t, c, "kept", 1000); e.Hits != 1 {
		t.Errorf("%d hits, want the one that could be recorded", e.Hits)
	}
	if r, ok := c.LookupIndex(key("f")); !ok || r.Second != key("kept") {
		t.Errorf("LookupIndex: %+v, %v", r, ok)
	}
	log.WantNone(t)
	if _, err := c.Get(key("damaged")); !errors.Is(err, ErrMiss) {
		t.Errorf("Get: %v, want ErrMiss", err)
	}
	log.Want(t, "cannot be removed", "read-only")
	keepsNothing(t, c, log, "read-only file system")
	if n, _, err := c.Clear(); err == nil {
		t.Errorf("Clear of a read-only cache: %d entries and no error", n)
	}
}

func TestUnwritable(t *testing.T) {
	if !inNamespace(t, 1000) {
		return
	}
	log := testenv.Logged(t)
	ownTemp(t)
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	keepsNothing(t, open(t, dir), log, "permission denied", dir)
}

func TestUnreadable(t *testing.T) {
	if !inNamespace(t, 1000) {
		return
	}
	for _, name := range []string{"", "artifact.so", "meta.json"} {
		t.Run("entry/"+name, func(t *testing.T) {
			log := testenv.Logged(t)
			c := open(t, t.TempDir())
			e := build(t, c, "k", 1000)
			if err := os.Chmod(filepath.Join(filepath.Dir(e.Path), name), 0); err != nil {
				t.Fatal(err)
			}
			build(t, c, "k", 1000)
			log.Want(t, "removed a damaged entry", "permission denied")
			hit(t, c, "k", 1000)
			clean(t, c)
		})
	}
	t.Run("hits", func(t *testing.T) {
		log := testenv.Logged(t)
		c := open(t, t.TempDir())
		e := build(t, c, "k", 1000)
		hit(t, c, "k", 1000)
		if err := os.Chmod(filepath.Join(filepath.Dir(e.Path), hitsName), 0); err != nil {
			t.Fatal(err)
		}
		hit(t, c, "k", 1000)
		log.WantNone(t)
	})
	t.Run("record", func(t *testing.T) {
		log := testenv.Logged(t)
		c := open(t, t.TempDir())
		if err := c.StoreIndex(key("f"), Record{}); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(c.kept.record(key("f")), 0); err != nil {
			t.Fatal(err)
		}
		if _, ok := c.LookupIndex(key("f")); ok {
			t.Error("a record that cannot be read was found")
		}
		log.Want(t, "removed a damaged record", "permission denied")
	})
}
