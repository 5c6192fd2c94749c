package vectypes

import "strings"

// commentWidth is where lines of documentation end.
const commentWidth = 100

// reflowed is Go text with the paragraphs of its documentation broken into lines anew: in
// templates names of types stand for shorter and longer ones. Lists and code are left alone.
func reflowed(text string) string {
	var b strings.Builder
	line := "" // of the paragraph
	for next := range strings.Lines(text) {
		words, ok := strings.CutPrefix(next, "// ")
		if ok && strings.TrimLeft(words, " \t-") != words {
			ok = false
		}
		if !ok {
			if line != "" {
				b.WriteString(line + "\n")
				line = ""
			}
			b.WriteString(next)
			continue
		}
		for word := range strings.FieldsSeq(words) {
			if line != "" && len(line)+1+len(word) > commentWidth {
				b.WriteString(line + "\n")
				line = ""
			}
			if line == "" {
				line = "//"
			}
			line += " " + word
		}
	}
	if line != "" {
		b.WriteString(line + "\n")
	}
	return b.String()
}
