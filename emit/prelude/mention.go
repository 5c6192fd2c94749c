package prelude

import (
	"bytes"
	"slices"
	"strings"
)

// Mentioned finds the pieces of the prelude that C++ text names outside comments.
func Mentioned(text []byte) []string {
	var found []string
	for i := 0; i < len(text); {
		if text[i] == '/' && i+1 < len(text) && text[i+1] == '/' {
			end := bytes.IndexByte(text[i:], '\n')
			if end < 0 {
				break
			}
			i += end
			continue
		}
		if inWords[text[i]] != letter {
			i++
			continue
		}
		j := i + 1
		for j < len(text) && inWords[text[j]] != 0 {
			j++
		}
		if !beginsMention[text[i]] {
			i = j
			continue
		}
		if word := text[i:j]; byMention[string(word)] && !slices.Contains(found, string(word)) {
			found = append(found, string(word))
		}
		i = j
	}
	return found
}

// inWords says which bytes are in words, and which of them words begin with.
var inWords = func() (kinds [256]uint8) {
	for c := range kinds {
		switch {
		case c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			kinds[c] = letter
		case c >= '0' && c <= '9':
			kinds[c] = digit
		}
	}
	return kinds
}()

const (
	letter = 1
	digit  = 2
)

// byMention are the pieces that are needed wherever the text names them: types,
// and what dialects use in the frames of kernels.
var byMention = func() map[string]bool {
	names := make(map[string]bool)
	for _, n := range strings.Fields(`int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64
		slice array pair quotient modulo quotient32 modulo32 size_divisor`) {
		names[n] = true
	}
	return names
}()

// beginsMention has the letters that these names begin with.
var beginsMention = func() (letters [256]bool) {
	for n := range byMention {
		letters[n[0]] = true
	}
	return letters
}()
