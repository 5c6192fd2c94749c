package emit

import "strings"

// maxColumns is where a line with a list in braces is broken: nothing else gets so long in
// readable Go.
const maxColumns = 120

const indentColumns = 4 // of one level

// fits reports whether a line stays one: it is short enough, or one of a dialect, which is indented as it is.
func fits(text string, depth int) bool {
	return indentColumns*depth+len(text) <= maxColumns || text[0] == ' '
}

// wrapped breaks a line that would be too long at the list in braces that it ends with: a matrix
// gets a line for each row, numbers fill lines.
func wrapped(text string, depth int) []string {
	if fits(text, depth) {
		return []string{text}
	}
	open, items, end := lastList(text)
	if len(items) < 2 {
		return []string{text}
	}
	lines := []string{text[:open+1]}
	nested := strings.Contains(text[open+1:end], "{")
	room := maxColumns - indentColumns*(depth+1)
	line := ""
	flush := func() {
		for _, l := range wrapped(line, depth+1) {
			lines = append(lines, strings.Repeat(" ", indentColumns)+l)
		}
		line = ""
	}
	for i, item := range items {
		if i < len(items)-1 {
			item += ","
		}
		switch {
		case line == "":
			line = item
		case nested || len(line)+1+len(item) > room:
			flush()
			line = item
		default:
			line += " " + item
		}
	}
	flush()
	return append(lines, text[end:])
}

// afterList is how many signs there may be from the end of a list on.
const afterList = 4

// lastList finds the outermost list in braces that a line ends with, but for a few signs: where
// its braces are, and its items.
func lastList(text string) (open int, items []string, end int) {
	depth, start := 0, -1
	open = -1
	if !strings.Contains(text[max(len(text)-afterList, 0):], "}") {
		return -1, nil, -1
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\'':
			return -1, nil, -1 // text and characters are in no list
		case c == '{' && open < 0:
			open, start, depth = i, i+1, 0
			items = nil
		case c == '(' || c == '[' || c == '{' || c == '<' && isTemplate(text, i):
			depth++
		case c == '}' && depth == 0 && open >= 0:
			if len(text)-i <= afterList {
				return open, append(items, text[start:i]), i
			}
			open = -1
		case c == ')' || c == ']' || c == '}' || c == '>' && i > 0 && text[i-1] != ' ' && text[i-1] != '-':
			depth--
		case c == ',' && depth == 0 && open >= 0:
			items = append(items, text[start:i])
			start = i + 2 // there is a space
		}
	}
	return -1, nil, -1
}

// isTemplate reports whether a < stands behind a name without a space: an operator has one.
func isTemplate(text string, i int) bool { return i > 0 && text[i-1] != ' ' && text[i-1] != '<' }
