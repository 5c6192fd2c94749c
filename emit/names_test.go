package emit

import "testing"

// No value is named like what the text needs: const bool apart = apart(x, y) calls itself.
func TestTemporaryNames(t *testing.T) {
	for op, name := range temporaryNames {
		if reserved[name] || cLibrary[name] {
			t.Errorf("results of %v are named %s, which the text has for something else", op, name)
		}
	}
}
