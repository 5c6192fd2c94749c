package build

import (
	"runtime/debug"
	"testing"
)

// TestDescribe changes a program's build one thing at a time.
func TestDescribe(t *testing.T) {
	info := func(change func(*debug.BuildInfo)) string {
		i := &debug.BuildInfo{
			GoVersion: "go1.26.0",
			Main:      debug.Module{Path: "example.com/m", Version: "v1.0.0"},
			Deps:      []*debug.Module{{Path: "example.com/dep", Version: "v1.0.0", Sum: "h1:x", Replace: &debug.Module{Path: "../dep"}}},
			Settings:  []debug.BuildSetting{{Key: "-tags", Value: "a"}, {Key: "-ldflags", Value: "-w"}, {Key: "vcs.revision", Value: "1"}},
		}
		change(i)
		return describe(i)
	}
	base := info(func(*debug.BuildInfo) {})
	for name, change := range map[string]func(*debug.BuildInfo){
		"tags":        func(i *debug.BuildInfo) { i.Settings[0].Value = "b" },
		"dependency":  func(i *debug.BuildInfo) { i.Deps[0].Version = "v1.1.0" },
		"replacement": func(i *debug.BuildInfo) { i.Deps[0].Replace.Path = "../other" },
		"Go":          func(i *debug.BuildInfo) { i.GoVersion = "go1.27" },
	} {
		if info(change) == base {
			t.Errorf("%s makes no difference", name)
		}
	}
	for name, change := range map[string]func(*debug.BuildInfo){
		"commit":  func(i *debug.BuildInfo) { i.Main.Version, i.Settings[2].Value = "v1.0.1", "2" },
		"ldflags": func(i *debug.BuildInfo) { i.Settings[1].Value = "" },
	} {
		if info(change) != base {
			t.Errorf("%s makes a difference", name)
		}
	}
}
