package load

import (
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// asGoCommand says that build constraints are decided for the programs that the go command would build, and not for the
// one that runs.
var asGoCommand bool

// AsGoCommand has build constraints decided as the go command decides them in this environment. What looks at packages
// of programs that are not its own calls it before anything else, as the command qdgen does.
func AsGoCommand() { asGoCommand = true }

// commandContext is the build that the go command makes in this environment.
func commandContext() build.Context {
	ctx := build.Default
	if s := goEnv("GOOS"); s != "" {
		ctx.GOOS = s
	}
	if s := goEnv("GOARCH"); s != "" {
		ctx.GOARCH = s
	}
	switch cgo := goEnv("CGO_ENABLED"); {
	case cgo != "":
		ctx.CgoEnabled = cgo == "1"
	case ctx.GOOS != runtime.GOOS || ctx.GOARCH != runtime.GOARCH:
		ctx.CgoEnabled = false
	case goEnv("CC") == "":
		_, err := exec.LookPath(defaultCC(ctx.GOOS))
		ctx.CgoEnabled = ctx.CgoEnabled && err == nil
	}
	ctx.BuildTags = tagsOf(goEnv("GOFLAGS"))
	return ctx
}

// defaultCC is the C compiler that the go command runs where nobody names one. Without it cgo is off.
func defaultCC(goos string) string {
	switch goos {
	case "darwin", "ios", "freebsd", "openbsd":
		return "clang"
	}
	return "gcc"
}

// tagsOf are the build tags that flags of the go command set, in the form of GOFLAGS: flags between spaces, of which
// each may be in quotes.
func tagsOf(flags string) (tags []string) {
	var sanitizers []string
	for flags = strings.TrimSpace(flags); flags != ""; flags = strings.TrimSpace(flags) {
		var flag string
		if quote := flags[:1]; quote == `"` || quote == "'" {
			flag, flags, _ = strings.Cut(flags[1:], quote)
		} else if end := strings.IndexAny(flags, " \t\r\n"); end >= 0 {
			flag, flags = flags[:end], flags[end:]
		} else {
			flag, flags = flags, ""
		}
		name, value, given := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(flag, "-"), "-"), "=")
		switch name {
		case "tags": // the last one counts
			tags = splitTags(value)
		case "race", "msan", "asan":
			if !given || value == "true" || value == "1" {
				sanitizers = append(sanitizers, name)
			}
		}
	}
	return append(tags, sanitizers...)
}

// splitTags are the tags of the flag -tags.
func splitTags(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// goEnv is a variable of the go command: the environment has it, or the file that go env -w writes.
func goEnv(name string) string {
	if s := os.Getenv(name); s != "" {
		return s
	}
	file := os.Getenv("GOENV")
	if file == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return ""
		}
		file = filepath.Join(dir, "go", "env")
	}
	text, err := os.ReadFile(file) // GOENV=off names no file
	if err != nil {
		return ""
	}
	value := ""
	for line := range strings.Lines(string(text)) {
		if key, s, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "="); ok && key == name {
			value = s
		}
	}
	return value
}
