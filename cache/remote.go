package cache

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/pem"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
)

// A Remote is a cache that several machines share. It never keeps a program waiting for long, and
// reports its own failures. Package cache/remote has the one that QD_CACHE_REMOTE names.
type Remote interface {
	// Fetch returns what the remote has under a key, nil if it has nothing that can be used.
	Fetch(kind Kind, key Key) *Parcel
	// Share is told that the cache has stored something that others can use. It does not wait.
	Share(kind Kind, key Key)
}

// A Transport makes Remotes. Package cache/remote registers it: a program that has no use for a
// remote cache does without the code that speaks HTTP.
type Transport struct {
	// Open returns the remote that the environment names, nil if it cannot be used.
	Open func(c *Cache) Remote
	// Trusts reports whether QD_CACHE_KEY allows to load what a key has signed; "" stands for no
	// signature.
	Trusts func(signer string) bool
}

// Register sets the transport. It is called before any cache is used.
func Register(t Transport) { transport = t }

var transport Transport

// An Origin says from which remote something comes.
type Origin struct {
	URL    string `json:"url"`
	Signer string `json:"signer,omitempty"` // the public key that it was signed with, "" for none
}

// RemoteCount is what the remote caches of this process have come to so far.
var RemoteCount struct {
	Hits     atomic.Int64 // what was asked for and found
	Misses   atomic.Int64 // what was asked for and not found
	Failures atomic.Int64 // what could not be asked for, or stored, because the remote failed
	Uploads  atomic.Int64 // what was stored
}

// remoteOnce opens the remote of a Cache when it is first needed.
type remoteOnce struct {
	once   sync.Once
	wanted bool // only the cache that QD_CACHE names has one
	remote Remote
}

// warnTransport says once that the program cannot speak to a remote.
var warnTransport sync.Once

// Remote returns the remote cache behind this one, nil if there is none.
func (c *Cache) Remote() Remote {
	r := &c.remote
	r.once.Do(func() {
		if url := os.Getenv("QD_CACHE_REMOTE"); !r.wanted || url == "" || url == "off" {
			return
		}
		if transport.Open == nil {
			warnTransport.Do(func() {
				slog.Warn("cache: QD_CACHE_REMOTE is set, but this program has no code to speak to a remote cache; it uses the local cache only",
					"help", `build it with -tags qdremote, or import _ "github.com/qdgen/qd/cache/remote"`)
			})
			return
		}
		r.remote = transport.Open(c)
	})
	return r.remote
}

// Trusts reports whether what comes from there may be loaded: what this machine has built, and,
// where QD_CACHE_KEY is set, what was signed with such a key.
func (c *Cache) Trusts(from *Origin) bool {
	if from == nil || strings.TrimSpace(os.Getenv("QD_CACHE_KEY")) == "" { // as package remote has it
		return true
	}
	if transport.Trusts != nil {
		return transport.Trusts(from.Signer)
	}
	return publicKeys()[from.Signer]
}

// publicKeyPrefix is what an ed25519 public key in DER begins with (RFC 8410). The key follows.
const publicKeyPrefix = "\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00"

// publicKeys are the public keys of QD_CACHE_KEY, for a program without a transport: it has nothing
// that could find the public key of a private one, so files of private keys have both. Whoever has
// downloaded an entry has verified its signature, and noted with which key.
func publicKeys() map[string]bool {
	value := os.Getenv("QD_CACHE_KEY")
	text := []byte(value)
	if !strings.Contains(value, "-----BEGIN") {
		text, _ = os.ReadFile(value) // without it nothing is trusted
	}
	keys := map[string]bool{}
	for {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			return keys
		}
		if key, ok := bytes.CutPrefix(block.Bytes, []byte(publicKeyPrefix)); ok && block.Type == "PUBLIC KEY" {
			keys["ed25519:"+base64.StdEncoding.EncodeToString(key)] = true
		}
	}
}

// share tells the remote that something was stored.
func (c *Cache) share(kind Kind, key Key) {
	if r := c.Remote(); r != nil {
		r.Share(kind, key)
	}
}

// Fetch is Get, and asks the remote for what is not there.
func (c *Cache) Fetch(key Key) (*Entry, error) {
	e, err := c.Get(key)
	if err == nil || c.Remote() == nil {
		return e, err
	}
	_, mine, _ := c.flights.Do(context.Background(), key, func() (*Entry, error) {
		e, err = c.fetch(key)
		return nil, nil // a miss is no error for those who wait to build it
	})
	if !mine {
		return c.Get(key)
	}
	return e, err
}

// fetch takes an entry from the remote. The error is ErrMiss.
func (c *Cache) fetch(key Key) (*Entry, error) {
	r := c.Remote()
	if r == nil {
		return nil, ErrMiss
	}
	p := r.Fetch(KindModule, key)
	if p == nil {
		return nil, ErrMiss
	}
	e, err := c.unpackModule(p)
	if err != nil {
		return nil, ErrMiss // who builds it comes to the same, and tells
	}
	return e, nil
}

// FetchRecord returns the record that the remote has under a key; see [Record.Shared]. It is not
// stored: the caller knows what it is good for.
func (c *Cache) FetchRecord(shared Key) (Record, bool) {
	r := c.Remote()
	if r == nil {
		return Record{}, false
	}
	p := r.Fetch(KindRecord, shared)
	if p == nil {
		return Record{}, false
	}
	rec, err := p.record()
	return rec, err == nil
}

// FetchNote returns the note that the remote has under a key.
func (c *Cache) FetchNote(key Key) ([]byte, bool) {
	r := c.Remote()
	if r == nil {
		return nil, false
	}
	p := r.Fetch(KindNote, key)
	if p == nil {
		return nil, false
	}
	return p.Body, true
}

// RemoteDir is where a Remote keeps what it has to know the next time, "" if there is no place.
// The directory need not exist.
func (c *Cache) RemoteDir() string {
	if c.kept == nil {
		return ""
	}
	return c.kept.remote()
}

func (s *store) remote() string { return filepath.Join(s.root, "remote") }
