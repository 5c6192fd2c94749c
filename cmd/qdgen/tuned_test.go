package main

import (
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/internal/runtime/tune"
)

// What has been tuned is listed by the command, as text, as JSON and as a picture.
func TestCacheListTuned(t *testing.T) {
	t.Setenv("QD_CACHE_SIZE", "")
	dir := t.TempDir()
	c, err := cache.Open(filepath.Join(dir, "cache"))
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"QD_CACHE=" + c.Dir()}
	qdgen(t, "", env, "cache", "list", "--tuned").want(t, exitOK, []string{"Nothing has been tuned in " + c.Dir()}, nil)
	const note = `{"kernel":"example.com/p.k","device":"cpu","about":"a CPU","key":"x=5","rows":[
		{"config":"{slow}","time_ns":3000000,"runs":3,"when":"2026-01-02T03:04:05Z"},
		{"config":"{bad}","skipped":"it does not fit","when":"2026-01-02T03:04:05Z"},
		{"config":"{fast}","time_ns":1500000,"runs":5,"when":"2026-01-02T03:04:05Z"}]}`
	if err := c.EditNote(cache.NewKey("test"), "test", func(json.RawMessage) (json.RawMessage, error) { return json.RawMessage(note), nil }); err != nil {
		t.Fatal(err)
	}
	picture := filepath.Join(dir, "tuned.png")
	qdgen(t, "", env, "cache", "list", "--tuned", "--png", picture).want(t, exitOK,
		[]string{"example.com/p.k on cpu (a CPU) for x=5", "{fast}         1.5 ms", "best", "2.00x", "left out: it does not fit"}, nil)
	f, err := os.Open(picture)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if img, err := png.Decode(f); err != nil || img.Bounds().Dx() != tunedWidth {
		t.Errorf("the picture: %v", err)
	}
	var list []tune.Listed
	r := qdgen(t, "", env, "cache", "list", "--tuned", "--json")
	r.want(t, exitOK, []string{"["}, nil)
	if r.parse(t, &list); len(list) != 1 || !list[0].Rows[0].Best || list[0].Rows[0].Config != "{fast}" {
		t.Errorf("list --tuned --json: %+v", list)
	}
	qdgen(t, "", env, "cache", "verify").want(t, exitOK, []string{"no problems"}, nil)
	qdgen(t, "", env, "cache", "clear").want(t, exitOK, []string{"Removed 0 modules"}, nil)
	qdgen(t, "", env, "cache", "list", "--tuned").want(t, exitOK, []string{"Nothing has been tuned"}, nil)
}
