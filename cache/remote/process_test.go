package remote

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"
)

// testServer serves until the test ends.
func testServer(t testing.TB, h http.Handler) (url string) {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// helperProcess is a process of the test binary that builds modules.
func helperProcess(t *testing.T, dir, url string, names []string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), os.Args[0], names...)
	cmd.Env = append(os.Environ(), helperVar+"=build", "QD_CACHE="+dir, "QD_CACHE_REMOTE="+url)
	cmd.Stderr = os.Stderr
	return cmd
}
