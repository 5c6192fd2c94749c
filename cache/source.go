package cache

import (
	"os"
	"path/filepath"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// maxSource bounds what a kept source decompresses to.
const maxSource = 256 << 20

// Coders are made when they are first needed, which a warm start never does. One
// of each serves all goroutines.
var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		// Sources are some kilobytes, and a first launch waits for this: with a large
		// window, its allocation would take longer than all the rest of storing.
		e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1),
			zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(256<<10))
		if err != nil {
			panic("BUG: zstd refuses its options: " + err.Error())
		}
		return e
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxSource))
		if err != nil {
			panic("BUG: zstd refuses its options: " + err.Error())
		}
		return d
	})
)

func compress(source string) []byte { return encoder().EncodeAll([]byte(source), nil) }

// source reads back the text that an entry was made from, verified. The error is
// ErrMiss or a *DamageError.
func (s *store) source(key Key) (string, error) {
	dir := s.module(key)
	m, err := readMeta(dir, key)
	if err == nil {
		err = checkSum(dir, m.Source)
	}
	if err != nil {
		return "", missOr(dir, err)
	}
	path := filepath.Join(dir, m.Source.Name)
	data, err := os.ReadFile(path)
	if err != nil {
		return "", missOr(dir, unreadable(path, err))
	}
	text, err := decoder().DecodeAll(data, nil)
	if err != nil {
		return "", &DamageError{Path: path, Reason: "it cannot be decompressed", Err: err}
	}
	return string(text), nil
}
