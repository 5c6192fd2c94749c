package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// A Key is a SHA-256.
type Key [sha256.Size]byte

// NewKey hashes parts. Each part is hashed with its length, so that different lists of parts never
// give the same bytes. domain is the kind of the key, so that keys of different kinds never
// collide.
func NewKey(domain string, parts ...[]byte) Key {
	h := sha256.New()
	var length [8]byte
	write := func(p []byte) {
		binary.LittleEndian.PutUint64(length[:], uint64(len(p)))
		h.Write(length[:])
		h.Write(p)
	}
	write([]byte(domain))
	for _, p := range parts {
		write(p)
	}
	return Key(h.Sum(nil))
}

// ParseKey parses the output of String.
func ParseKey(s string) (Key, error) {
	var k Key
	return k, k.UnmarshalText([]byte(s))
}

// String is the key in 64 hexadecimal digits.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// Short is the first seven digits of String, for messages.
func (k Key) Short() string { return k.String()[:7] }

// MarshalText implements encoding.TextMarshaler: keys are text in JSON.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler. Only the form that String
// prints is a key: upper case would give one entry two names.
func (k *Key) UnmarshalText(text []byte) error {
	var parsed Key
	if len(text) != hex.EncodedLen(len(parsed)) {
		return fmt.Errorf("cache: %q is not a key: it has %d characters, not %d", text, len(text), hex.EncodedLen(len(parsed)))
	}
	if _, err := hex.Decode(parsed[:], text); err != nil || parsed.String() != string(text) {
		return fmt.Errorf("cache: %q is not a key: it is not in lower-case hexadecimal", text)
	}
	*k = parsed
	return nil
}
