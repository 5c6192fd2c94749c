package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
)

// format is the version of what is written inside the files. It is part of every
// sealed file, so that a file moved between layouts is never misread.
const format = 1

// A seal is the first line of a sealed file: it says what the second line, the
// body, has to be. Both lines are JSON, and every byte of the body is covered, so
// a flipped bit anywhere shows.
type seal struct {
	Format int `json:"format"`
	SHA256 Key `json:"sha256"` // of the body, without the line's end
}

// line is the seal of a body.
func (s seal) line() []byte {
	b, err := json.Marshal(s)
	if err != nil {
		panic("BUG: a seal that is not JSON: " + err.Error())
	}
	return b
}

// sealed is body as the contents of a sealed file.
func sealed(body any) ([]byte, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	head := seal{Format: format, SHA256: sha256.Sum256(b)}.line()
	return bytes.Join([][]byte{head, b, nil}, []byte("\n")), nil
}

// unseal reads into body what sealed made. The error says what is wrong.
func unseal(data []byte, body any) error {
	head, rest, _ := bytes.Cut(data, []byte("\n"))
	b, ended := bytes.CutSuffix(rest, []byte("\n"))
	// The first line is compared, not parsed: JSON can be misspelt without
	// changing its meaning, and damage there is damage too.
	if want := (seal{Format: format, SHA256: sha256.Sum256(b)}).line(); !ended || !bytes.Equal(head, want) {
		return sealFault(head, ended)
	}
	if err := json.Unmarshal(b, body); err != nil {
		return fmt.Errorf("this version of qdgen does not write such a file: %w", err)
	}
	return nil
}

// sealFault says why a sealed file with that first line was refused.
func sealFault(head []byte, ended bool) error {
	var s seal
	if err := json.Unmarshal(head, &s); err != nil {
		return fmt.Errorf("its first line is not a seal: %w", err)
	}
	if s.Format != format {
		return fmt.Errorf("it was written in format %d, and this version of qdgen reads format %d", s.Format, format)
	}
	if !ended {
		return errors.New("it ends too early")
	}
	return errors.New("its SHA-256 is not what was written")
}
