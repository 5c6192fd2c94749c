package explain

import (
	"regexp"
	"strings"
)

// What colours add to a line, and how its characters are written.
var (
	tag     = regexp.MustCompile(`</?i[^>]*>`)
	escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")
)
