package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// versionInfo is what identifies this command.
type versionInfo struct {
	Version  string `json:"version"`            // of the module, or (devel)
	Revision string `json:"revision,omitempty"` // of the repository, where it was built from one
	Modified bool   `json:"modified,omitempty"` // the working copy had changes
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// version reads what the go command has recorded in the binary.
func version() versionInfo {
	v := versionInfo{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// String is the version in one line.
func (v versionInfo) String() string {
	revision := ""
	if v.Revision != "" {
		revision = " " + v.Revision[:min(12, len(v.Revision))]
		if v.Modified {
			revision += "+changes"
		}
	}
	return fmt.Sprintf("qdgen %s%s %s %s", v.Version, revision, v.Go, v.Platform)
}

func newVersionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version of qdgen",
		Long:    "Version prints the version of qdgen, the Go release that built it, and the\nplatform that it was built for.",
		Example: "  qdgen version\n  qdgen version --json",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := version()
			if asJSON {
				return printJSON(cmd.OutOrStdout(), v)
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), v)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}
