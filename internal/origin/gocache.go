package origin

import (
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// compiledAt is when the go command has compiled the main package of the program with a build ID,
// as its cache has it, however often the program was copied since. It is zero where that cache does not know the
// program: it was built elsewhere, by something else, or long ago.
func compiledAt(id string) time.Time {
	parts := strings.Split(id, "/")
	if !goBuildID.MatchString(id) || len(parts) != 4 {
		return time.Time{}
	}
	// The second part is the beginning of the name under which the cache has the package.
	action, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return time.Time{}
	}
	name := hex.EncodeToString(action)
	list, _ := filepath.Glob(filepath.Join(goCache(), name[:2], name+"*-a"))
	if len(list) != 1 {
		return time.Time{}
	}
	// "v1", two hashes, a size, and the time in nanoseconds
	text, err := os.ReadFile(list[0])
	fields := strings.Fields(string(text))
	if err != nil || len(fields) != 5 || fields[0] != "v1" {
		return time.Time{}
	}
	ns, err := strconv.ParseInt(fields[4], 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(0, ns)
}

// goCache is the directory of the go command's cache, as go env GOCACHE gives it.
func goCache() string {
	if dir := os.Getenv("GOCACHE"); dir != "" {
		return dir
	}
	file := os.Getenv("GOENV")
	if config, err := os.UserConfigDir(); file == "" && err == nil {
		file = filepath.Join(config, "go", "env")
	}
	if text, err := os.ReadFile(file); err == nil {
		for line := range strings.Lines(string(text)) {
			if dir, ok := strings.CutPrefix(strings.TrimSpace(line), "GOCACHE="); ok && dir != "" {
				return dir
			}
		}
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "go-build")
}
