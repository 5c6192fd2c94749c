package remote

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/qdgen/qd/cache"
)

// format is the version of what qdgen keeps in remote caches. Another version has other keys.
const format = 1

// actionKey is the name of an entry under /ac/.
func actionKey(kind cache.Kind, key cache.Key) cache.Key {
	return cache.NewKey(fmt.Sprintf("qdgen remote cache %d", format), []byte(kind), key[:])
}

// A document is what is said about an entry.
type document struct {
	Kind  cache.Kind      `json:"kind"`
	Key   cache.Key       `json:"key"`
	Place cache.Key       `json:"place"`
	Body  json.RawMessage `json:"body"`
	Files []fileRef       `json:"files,omitempty"`
}

// A head is the first line of an encoded document. The second is the document. The signature covers
// the name of the entry and the digest of the second line, which has the digests of all files: an
// entry cannot be changed, nor moved under another name.
type head struct {
	Format    int       `json:"format"`
	Name      cache.Key `json:"name"`
	SHA256    cache.Key `json:"sha256"` // of the second line, without its end
	Signer    string    `json:"signer,omitempty"`
	Signature []byte    `json:"signature,omitempty"`
}

// signed is the text that is signed.
func (h *head) signed() []byte {
	return fmt.Appendf(nil, "qdgen remote cache entry %d\n%s\n%s\n", h.Format, h.Name, h.SHA256)
}

// seal encodes a document, and signs it if there is a key to sign with.
func (k *Keys) seal(d *document) ([]byte, error) {
	body, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	h := head{Format: format, Name: actionKey(d.Kind, d.Key), SHA256: sha256.Sum256(body)}
	if k.CanSign() {
		h.Signer = signerOf(k.private.Public().(ed25519.PublicKey))
		h.Signature = ed25519.Sign(k.private, h.signed())
	}
	first, err := json.Marshal(h)
	return bytes.Join([][]byte{first, body, nil}, []byte("\n")), err
}

// An unsignedError reports an entry that is whole, but not signed with a key that is trusted.
type unsignedError struct{ signer string }

func (e *unsignedError) Error() string {
	if e.signer == "" {
		return "it is not signed, and QD_CACHE_KEY is set"
	}
	return "it is signed with the key " + e.signer + ", which QD_CACHE_KEY does not have"
}

// open decodes and verifies the document of a name. It gives the key that has signed it, "" if nobody
// looks at signatures.
func (k *Keys) open(data []byte, kind cache.Kind, key cache.Key) (d document, signer string, err error) {
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	body, ended := bytes.CutSuffix(rest, []byte("\n"))
	var h head
	if err := json.Unmarshal(first, &h); err != nil || !ended {
		return d, "", errors.New("it is not a document of qdgen's")
	}
	switch {
	case h.Format != format:
		return d, "", fmt.Errorf("it has the format %d, and this version of qdgen reads %d", h.Format, format)
	case h.SHA256 != sha256.Sum256(body):
		return d, "", errors.New("its SHA-256 is not what was written")
	case h.Name != actionKey(kind, key):
		return d, "", errors.New("it belongs to another key")
	}
	if k != nil {
		public, ok := k.trusted[h.Signer]
		if !ok {
			return d, "", &unsignedError{h.Signer}
		}
		if !ed25519.Verify(public, h.signed(), h.Signature) {
			return d, "", errors.New("its signature is wrong")
		}
		signer = h.Signer
	}
	if err := json.Unmarshal(body, &d); err != nil {
		return d, "", err
	}
	if d.Kind != kind || d.Key != key {
		return d, "", errors.New("it belongs to another key")
	}
	return d, signer, nil
}

// compact is JSON without spaces.
func compact(text json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return text
	}
	return b.Bytes()
}
