package remote

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
)

// Keys are those of QD_CACHE_KEY. The nil Keys are for when it is not set: nothing is signed, and
// signatures do not matter.
type Keys struct {
	private ed25519.PrivateKey           // nil if there is none
	trusted map[string]ed25519.PublicKey // by their text
}

// CanSign reports whether there is a private key.
func (k *Keys) CanSign() bool { return k != nil && k.private != nil }

// signerOf is the text of a public key.
func signerOf(k ed25519.PublicKey) string { return "ed25519:" + base64.StdEncoding.EncodeToString(k) }

// ParseKeys parses a value of QD_CACHE_KEY: PEM, or the name of a file of PEM. A private key signs, and
// its public key is trusted; more public keys are trusted too. The empty value gives nil.
func ParseKeys(value string) (*Keys, error) {
	if strings.TrimSpace(value) == "" {
		return nil, nil
	}
	text := []byte(value)
	if !strings.Contains(value, "-----BEGIN") {
		var err error
		if text, err = os.ReadFile(value); err != nil {
			return nil, fmt.Errorf("QD_CACHE_KEY is neither PEM nor the name of a file: %w", err)
		}
	}
	k := &Keys{trusted: map[string]ed25519.PublicKey{}}
	for {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			break
		}
		if err := k.add(block); err != nil {
			return nil, fmt.Errorf("QD_CACHE_KEY: %w; qdgen cache key makes a pair of keys", err)
		}
	}
	if len(k.trusted) == 0 {
		return nil, errors.New("QD_CACHE_KEY has no key in PEM; qdgen cache key makes a pair of keys")
	}
	return k, nil
}

// add adds a key in PEM.
func (k *Keys) add(block *pem.Block) error {
	switch block.Type {
	case "PRIVATE KEY":
		key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
		if err != nil {
			return err
		}
		private, ok := key.(ed25519.PrivateKey)
		if !ok {
			return fmt.Errorf("a private key is not an ed25519 key but a %T", key)
		}
		if k.private != nil {
			return errors.New("there are two private keys")
		}
		k.private = private
		k.trust(private.Public().(ed25519.PublicKey))
	case "PUBLIC KEY":
		key, err := x509.ParsePKIXPublicKey(block.Bytes)
		if err != nil {
			return err
		}
		public, ok := key.(ed25519.PublicKey)
		if !ok {
			return fmt.Errorf("a public key is not an ed25519 key but a %T", key)
		}
		k.trust(public)
	default:
		return fmt.Errorf("it has a %s, not a PRIVATE KEY or PUBLIC KEY", block.Type)
	}
	return nil
}

func (k *Keys) trust(public ed25519.PublicKey) { k.trusted[signerOf(public)] = public }

// NewKeys makes a pair of keys, in PEM. The private one is followed by the public one: see
// [cache.Cache.Trusts].
func NewKeys() (private, public []byte, err error) {
	pub, priv, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	privDER, err := x509.MarshalPKCS8PrivateKey(priv)
	if err != nil {
		return nil, nil, err
	}
	pubDER, err := x509.MarshalPKIXPublicKey(pub)
	if err != nil {
		return nil, nil, err
	}
	public = pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: pubDER})
	return append(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: privDER}), public...), public, nil
}

// parsed are the keys of the values of QD_CACHE_KEY that were seen: one, in a program.
var parsed sync.Map // string -> *Keys, nil for a value that is wrong

// trusts reports whether QD_CACHE_KEY has a public key.
func trusts(signer string) bool {
	value := os.Getenv("QD_CACHE_KEY")
	cached, ok := parsed.Load(value)
	if !ok {
		k, _ := ParseKeys(value) // who opens the remote is told what is wrong
		cached, _ = parsed.LoadOrStore(value, k)
	}
	k := cached.(*Keys)
	return k != nil && k.trusted[signer] != nil
}
