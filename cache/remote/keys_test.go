package remote

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/internal/testremote"
)

// newKeys makes a pair of keys, as values of QD_CACHE_KEY.
func newKeys(t *testing.T) (private, public string) {
	t.Helper()
	priv, pub, err := NewKeys()
	if err != nil {
		t.Fatal(err)
	}
	// A file of a private key has the public key too, which is tested elsewhere.
	alone, _, _ := strings.Cut(string(priv), "-----BEGIN PUBLIC KEY-----")
	return alone, string(pub)
}

// Where QD_CACHE_KEY is set, only what is signed with such a key is loaded: from the remote, and of what came from
// there before.
func TestKeys(t *testing.T) {
	private, public := newKeys(t)
	otherPrivate, otherPublic := newKeys(t)
	for _, tt := range []struct {
		name           string
		writer, reader string
		compiles       bool
		says           string
	}{
		{"no keys", "", "", false, ""},
		{"signed", private, public, false, ""},
		{"signed, read by a writer", private, private, false, ""},
		{"signed, any may read", private, "", false, ""},
		{"one of several", private, otherPublic + public, false, ""},
		{"another writer is trusted too", private, otherPrivate + public, false, ""},
		{"unsigned", "", public, true, "it is not signed"},
		{"signed by another", otherPrivate, public, true, "which QD_CACHE_KEY does not have"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			log := testenv.Logged(t)
			url := testServer(t, &testremote.Memory{})
			t.Setenv("QD_CACHE_KEY", tt.writer)
			a := newMachine(t, url)
			a.compiles("k", true)
			a.storeRecord("k", "k")
			a.storeNote("k", `{}`)
			a.mustFlush()

			t.Setenv("QD_CACHE_KEY", tt.reader)
			b := newMachine(t, url)
			if _, ok := b.FetchRecord(key("shared k")); ok == tt.compiles {
				t.Errorf("the record is there: %v", ok)
			}
			if _, ok := b.FetchNote(key("note k")); ok == tt.compiles {
				t.Errorf("the note is there: %v", ok)
			}
			b.compiles("k", tt.compiles)
			if tt.says != "" {
				log.Want(t, tt.says)
			}
			log.WantNone(t)
		})
	}
}

// What was loaded without a signature is not loaded any more once there is a key, nor is what it says about keys.
func TestKeySetLater(t *testing.T) {
	private, public := newKeys(t)
	_, other := newKeys(t)
	for name, writer := range map[string]string{"unsigned": "", "signed": private} {
		t.Run(name, func(t *testing.T) {
			log := testenv.Logged(t)
			url := testServer(t, &testremote.Memory{})
			t.Setenv("QD_CACHE_KEY", writer)
			a := newMachine(t, url)
			a.compiles("k", true)
			a.storeRecord("k", "k")
			a.mustFlush()

			t.Setenv("QD_CACHE_KEY", strings.Replace(writer, private, public, 1))
			dir := t.TempDir()
			b := machineIn(t, dir, url)
			b.compiles("k", false)
			rec, ok := b.FetchRecord(key("shared k"))
			if !ok {
				t.Fatal("no record")
			}
			if err := b.StoreIndex(key("first k"), rec); err != nil {
				t.Fatal(err)
			}
			if _, ok := b.LookupIndex(key("first k")); !ok {
				t.Error("the record is not found again")
			}
			b.build("own")
			log.WantNone(t)

			// Without a remote, too.
			t.Setenv("QD_CACHE_KEY", other)
			c := machineIn(t, dir, "")
			c.compiles("own", false)
			if _, ok := c.LookupIndex(key("first k")); ok {
				t.Error("the record is still taken for right")
			}
			c.compiles("k", true)
			log.Want(t, "not signed with a public key of QD_CACHE_KEY", url)
			c.compiles("k", false)
			if o := list(t, c)[0].Origin; o != nil {
				t.Errorf("what was compiled here comes from %v", o)
			}
		})
	}
}

// Someone with a public key alone uploads nothing: nobody would load it.
func TestPublicKeyReads(t *testing.T) {
	_, public := newKeys(t)
	t.Setenv("QD_CACHE_KEY", public)
	proxy := testremote.NewProxy(t, testremote.Servers[0].Start(t))
	m := newMachine(t, proxy.URL)
	m.compiles("k", true)
	m.mustFlush()
	wantRequests(t, proxy.Take(), 1)
	if _, err := store(t, m).Push(t.Context(), "main"); err == nil || !strings.Contains(err.Error(), "no private key") {
		t.Errorf("Push gives %v", err)
	}
}

// What a signature is over cannot be changed.
func TestSignature(t *testing.T) {
	private, _ := newKeys(t)
	k, err := ParseKeys(private)
	if err != nil {
		t.Fatal(err)
	}
	d := &document{Kind: cache.KindModule, Key: key("k"), Place: key("k"), Body: []byte(`{}`), Files: []fileRef{{Name: "artifact.so", Size: 3, SHA256: key("data")}}}
	good, err := k.seal(d)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := k.open(good, d.Kind, d.Key); err != nil {
		t.Fatal(err)
	}
	if _, _, err := k.open(good, cache.KindNote, d.Key); err == nil {
		t.Error("it is taken for another kind")
	}
	if _, _, err := k.open(good, d.Kind, key("other")); err == nil {
		t.Error("it is taken for another key's")
	}
	// An attacker can make the digest right, but not the signature.
	none, err := (*Keys)(nil).seal(&document{Kind: d.Kind, Key: d.Key, Place: d.Place, Body: d.Body, Files: []fileRef{{Name: "artifact.so", Size: 3, SHA256: key("evil")}}})
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(good), "\n")
	_, sig, _ := strings.Cut(head, `"signer"`)
	evil := strings.Replace(string(none), "}\n", `,"signer"`+sig+"\n", 1)
	if _, _, err := k.open([]byte(evil), d.Kind, d.Key); err == nil || err.Error() != "its signature is wrong" {
		t.Errorf("open gives %v", err)
	}
}

// Keys are PEM, as openssl and qdgen cache key write it.
func TestParseKeys(t *testing.T) {
	private, public := newKeys(t)
	file := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(file, []byte(private), 0o600); err != nil {
		t.Fatal(err)
	}
	// openssl genpkey -algorithm ed25519; openssl genpkey -algorithm x25519
	const openssl = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n"
	for _, tt := range []struct {
		name, value string
		sign        bool
		trusted     int
		err         string
	}{
		{"private", private, true, 1, ""},
		{"public", public, false, 1, ""},
		{"both", private + public, true, 1, ""},
		{"file", file, true, 1, ""},
		{"openssl", openssl, true, 1, ""},
		{"comments", "my key\n" + public + "\nthat was it\n", false, 1, ""},
		{"two private keys", private + openssl, false, 0, "two private keys"},
		{"no file", filepath.Join(t.TempDir(), "none"), false, 0, "neither PEM nor the name of a file"},
		{"no key", "-----BEGIN nothing", false, 0, "has no key in PEM"},
		{"another kind", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", false, 0, "it has a CERTIFICATE"},
		{"damaged", strings.Replace(public, "MCow", "MDow", 1), false, 0, "qdgen cache key makes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k, err := ParseKeys(tt.value)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("the error is %v, want %s", err, tt.err)
				}
				return
			}
			if err != nil || k.CanSign() != tt.sign || len(k.trusted) != tt.trusted {
				t.Errorf("%v, %v", k, err)
			}
		})
	}
	if k, err := ParseKeys(" \n"); k != nil || err != nil {
		t.Errorf("nothing gives %v, %v", k, err)
	}

	// A wrong value switches the remote off, and trusts nobody.
	log := testenv.Logged(t)
	t.Setenv("QD_CACHE_KEY", "no such file")
	m := newMachine(t, testServer(t, &testremote.Memory{}))
	if m.remote != nil || m.Trusts(&cache.Origin{}) || !m.Trusts(nil) {
		t.Error("the remote is used with a key that is wrong")
	}
	log.Want(t, "QD_CACHE_KEY")
}

func FuzzOpen(f *testing.F) {
	d := &document{Kind: cache.KindModule, Key: key("k"), Body: []byte(`{}`), Files: []fileRef{{Name: "artifact.so", Size: 3, SHA256: key("data")}}}
	good, err := (*Keys)(nil).seal(d)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(action(good, d.Files))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := parseAction(data)
		if err != nil {
			return
		}
		got, _, err := (*Keys)(nil).open(text, d.Kind, d.Key)
		if err == nil && (got.Kind != d.Kind || got.Key != d.Key) {
			t.Errorf("%+v", got)
		}
	})
}
