package report

import "runtime"

// SetTemp says what to do where there is no directory for temporary files: it names the variable that [os.TempDir]
// reads.
func SetTemp() string {
	name := "TMPDIR"
	if runtime.GOOS == "windows" {
		name = "TMP"
	}
	return "set " + name + " to a directory that can be written to"
}
