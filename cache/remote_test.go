package cache

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
)

// A program that has no code for a remote cache loads what a key of QD_CACHE_KEY has signed, and
// nothing else that comes from a remote.
func TestTrustsWithoutTransport(t *testing.T) {
	// RFC 8410, section 10.1
	const public = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n"
	const signer = "ed25519:Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="
	file := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(file, []byte("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"+public), 0o600); err != nil {
		t.Fatal(err)
	}
	signed, unsigned, other := &Origin{Signer: signer}, &Origin{}, &Origin{Signer: "ed25519:AAAA"}
	for _, tt := range []struct {
		key                     string
		signed, unsigned, other bool
	}{
		{"", true, true, true},
		{" \n", true, true, true},
		{public, true, false, false},
		{file, true, false, false},
		{"no such file", false, false, false},
		{"-----BEGIN nothing", false, false, false},
	} {
		t.Setenv("QD_CACHE_KEY", tt.key)
		c := open(t, t.TempDir())
		if !c.Trusts(nil) || c.Trusts(signed) != tt.signed || c.Trusts(unsigned) != tt.unsigned || c.Trusts(other) != tt.other {
			t.Errorf("with the key %q: %v, %v, %v", tt.key, c.Trusts(signed), c.Trusts(unsigned), c.Trusts(other))
		}
	}

	// An entry that is not trusted is removed and built.
	t.Setenv("QD_CACHE_KEY", "")
	dir := t.TempDir()
	c := open(t, dir)
	a := artifact("k", 100)
	a.origin = unsigned
	if _, err := c.put(key("k"), a); err != nil {
		t.Fatal(err)
	}
	hit(t, c, "k", 100)
	t.Setenv("QD_CACHE_KEY", public)
	log := testenv.Logged(t)
	build(t, open(t, dir), "k", 100)
	log.Want(t, "not signed with a public key of QD_CACHE_KEY")
	hit(t, open(t, dir), "k", 100)
	clean(t, c)
}
