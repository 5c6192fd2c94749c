package load

import (
	"bytes"
	"testing"
)

// The standard library of the release that runs the tests has all parts that differ in kernels.
func TestKernelSources(t *testing.T) {
	if root, err := goRoot(); root == "" || err != nil {
		t.Skip("this machine has no Go of the release that the test was built with: ", err)
	}
	for path, files := range kernelSources {
		p, err := Standard{}.Package(path)
		if err != nil || p == nil {
			t.Fatal(path, err)
		}
		for name, parts := range files {
			found := false
			for _, f := range p.Files {
				if baseName(f.Name) != name {
					continue
				}
				found = true
				for _, part := range parts {
					if !bytes.Contains(f.Src, []byte(part[0])) {
						t.Errorf("%s/%s has no %q", path, name, part[0])
					}
				}
				changed := forKernels(path, &f)
				if a, b := bytes.Count(f.Src, []byte("\n")), bytes.Count(changed.Src, []byte("\n")); a != b {
					t.Errorf("%s/%s has %d lines, and %d in kernels", path, name, a, b)
				}
			}
			if !found {
				t.Errorf("%s has no file %s", path, name)
			}
		}
	}
}
