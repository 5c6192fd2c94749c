package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/qdgen/qd/cache"
)

// newCacheCommand makes the command cache.
func newCacheCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "Manage the cache of compiled modules",
		Long: `Cache manages the modules that qd has built on this machine: shared libraries for
the CPU, cubins and PTX for GPUs. The key of a module is a hash of everything that
it is made from, so a module is never out of date. When the cache is full, the
modules that have been unused longest are removed. You can remove all of them at any
time.

QD_CACHE names the directory of the cache, or is "off" to keep nothing.
QD_CACHE_SIZE limits its size: 500M, 2G (default 1G; 0 sets no limit).
QD_CACHE_REMOTE names a cache that several machines share: https://HOST/PATH.
docs/cache.md says more about it.`,
		Example: `  qdgen cache list
  qdgen cache show 6cd1d53
  qdgen cache clear
  QD_CACHE=/scratch/qd qdgen cache path
  QD_CACHE_REMOTE=https://cache.example.com qdgen cache push`,
	}
	cmd.AddCommand(newCacheListCommand(), newCacheShowCommand(), newCacheClearCommand(), newCachePathCommand(), newCacheVerifyCommand(), newCachePushCommand(), newCachePullCommand(), newCacheKeyCommand())
	return cmd
}

// openCache opens the cache that programs use in the same environment.
func openCache() (*cache.Cache, error) {
	c, err := cache.Open("")
	if err != nil {
		return nil, err
	}
	return c, c.Disabled()
}

func newCacheListCommand() *cobra.Command {
	var asJSON, tuned bool
	var png string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the modules, most recently used first",
		Long: `List prints the modules in the cache, most recently used first: kernel, target,
architecture, size on disk, age, time since the last use, number of uses, and the
first digits of the key, which 'qdgen cache show' takes. Where there is a remote
cache, a last line has the hits and misses of all programs on this machine.

With --tuned it prints what qd.Tune has measured instead: a table for each kernel,
device and key, the fastest configuration first. --png draws these tables.`,
		Example: "  qdgen cache list\n  qdgen cache list --json | jq '.[].path'\n  qdgen cache list --tuned --png tuned.png",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := openCache()
			if err != nil {
				return err
			}
			if tuned || png != "" {
				return listTuned(cmd.OutOrStdout(), c, asJSON, png)
			}
			list, err := c.List()
			if err != nil {
				return err
			}
			if asJSON {
				if list == nil {
					list = []cache.Entry{} // an array, too, of nothing
				}
				return printJSON(cmd.OutOrStdout(), list)
			}
			if err := printEntries(cmd.OutOrStdout(), c.Dir(), list); err != nil {
				return err
			}
			return printRemote(cmd.OutOrStdout(), c)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array of objects with key, kernel, target, arch, size, created, used, hits, path, meta and origin (the remote cache that the module comes from); with --tuned of objects with kernel, device, about, key and rows")
	cmd.Flags().BoolVar(&tuned, "tuned", false, "list the configurations that qd.Tune has measured")
	cmd.Flags().StringVar(&png, "png", "", "with --tuned, write a picture of the tables to this file")
	return cmd
}

// printEntries prints a list of modules for people.
func printEntries(out io.Writer, dir string, list []cache.Entry) error {
	if len(list) == 0 {
		_, err := fmt.Fprintf(out, "No modules in %s\n", dir)
		return err
	}
	now := time.Now()
	rows := table{{"KERNEL", "TARGET", "ARCH", " SIZE", " AGE", " USED", " HITS", "KEY"}}
	var size int64
	digits := keyLength(list)
	for _, e := range list {
		size += e.Size
		rows = append(rows, []string{
			e.Kernel, e.Target, e.Arch, formatSize(e.Size),
			formatAge(now.Sub(e.Created)), formatAge(now.Sub(e.Used)), fmt.Sprint(e.Hits), e.Key.String()[:digits],
		})
	}
	if err := rows.print(out); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\n%s, %s in %s\n", count(len(list), "module", "modules"), formatSize(size), dir)
	return err
}

func newCacheClearCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "clear",
		Short: "Remove all modules",
		Long: `Clear removes all modules from the cache, including damaged ones, and what qd.Tune
has measured. Nothing is lost: modules are built again, and configurations measured
again, when they are needed. Running programs keep the modules that
they have loaded.`,
		Example: "  qdgen cache clear",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := openCache()
			if err != nil {
				return err
			}
			n, size, err := c.Clear()
			if err != nil {
				return fmt.Errorf("removed %s, but could not remove all: %w", count(n, "module", "modules"), err)
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), struct {
					Dir     string `json:"dir"`
					Removed int    `json:"removed"`
					Bytes   int64  `json:"bytes"`
				}{c.Dir(), n, size})
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "Removed %s, %s, from %s\n", count(n, "module", "modules"), formatSize(size), c.Dir())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object with dir, removed and bytes")
	return cmd
}

func newCachePathCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "path",
		Short: "Print the directory of the cache",
		Long: `Path prints the directory of the cache, even if it does not exist yet. It is the
directory that QD_CACHE names, or qdgen in the user's cache directory.`,
		Example: "  qdgen cache path\n  du -sh \"$(qdgen cache path)\"",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := cache.Open("")
			if err != nil {
				return err
			}
			// A directory that must not be used still has a name.
			if c.Dir() == "" {
				return c.Disabled()
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), struct {
					Dir string `json:"dir"`
				}{c.Dir()})
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), c.Dir())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object with dir")
	return cmd
}

// problemJSON is a problem as verify prints it.
type problemJSON struct {
	Kind    string `json:"kind"`
	File    string `json:"file"`
	Problem string `json:"problem"`
	Removed bool   `json:"removed"`
}

func newCacheVerifyCommand() *cobra.Command {
	var asJSON, remove bool
	var far remoteFlags
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check all files of the cache",
		Long: `Verify reads all files of the cache and compares them with the sizes and digests
that were recorded when they were written. It prints the files that are damaged or
do not belong there. It removes nothing without --remove.

Programs check the modules that they load, and build damaged modules again. This
command helps to find a failing disk. The exit status is 1 if a problem remains.

With --remote it reads the remote cache instead: what the list of push has, and
what is in the local cache too. It checks digests and, where QD_CACHE_KEY is set,
signatures.`,
		Example: "  qdgen cache verify\n  qdgen cache verify --remove\n  QD_CACHE_REMOTE=https://cache.example.com qdgen cache verify --remote",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := openCache()
			if err != nil {
				return err
			}
			if far.remote && remove {
				return usageErrorf("cache verify --remote cannot remove anything: the protocol has no request for it")
			}
			if far.remote {
				return verifyRemote(cmd, c, far, asJSON)
			}
			return verifyCache(cmd.OutOrStdout(), c, remove, asJSON)
		},
	}
	cmd.Flags().BoolVar(&remove, "remove", false, "remove files that are damaged or do not belong there")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object with dir, modules (the number of modules) and problems, an array of objects with kind, file, problem and removed; with --remote with remote, whole, missing and problems, an array of objects with kind, key and problem")
	cmd.Flags().BoolVar(&far.remote, "remote", false, "check the remote cache that QD_CACHE_REMOTE names")
	far.list(cmd)
	return cmd
}

// verifyCache is the command cache verify.
func verifyCache(out io.Writer, c *cache.Cache, remove, asJSON bool) error {
	found, err := c.Verify()
	if err != nil {
		return err
	}
	problems := make([]problemJSON, 0, len(found))
	left := 0
	for _, p := range found {
		shown := problemJSON{Kind: p.Kind, File: p.Err.Path, Problem: p.Err.Reason}
		if p.Err.Err != nil {
			shown.Problem += ": " + p.Err.Err.Error()
		}
		if remove {
			err := c.Remove(p)
			if shown.Removed = err == nil; err != nil {
				shown.Problem += "; it cannot be removed: " + err.Error()
			}
		}
		if !shown.Removed {
			left++
		}
		problems = append(problems, shown)
	}
	list, err := c.List()
	if err != nil {
		return err
	}
	if err := printVerified(out, c.Dir(), len(list), problems, left, asJSON); err != nil {
		return err
	}
	if left > 0 {
		return errReported
	}
	return nil
}

// printVerified prints what verify has found.
func printVerified(out io.Writer, dir string, modules int, problems []problemJSON, left int, asJSON bool) error {
	if asJSON {
		return printJSON(out, struct {
			Dir      string        `json:"dir"`
			Modules  int           `json:"modules"`
			Problems []problemJSON `json:"problems"`
		}{dir, modules, problems})
	}
	for _, p := range problems {
		end := ""
		if p.Removed {
			end = " (removed)"
		}
		if _, err := fmt.Fprintf(out, "%s: %s: %s%s\n", p.File, p.Kind, p.Problem, end); err != nil {
			return err
		}
	}
	summary := "no problems"
	if len(problems) > 0 {
		summary = count(len(problems), "problem", "problems")
		if removed := len(problems) - left; removed > 0 {
			summary += fmt.Sprintf(", %d removed", removed)
		}
	}
	_, err := fmt.Fprintf(out, "%s in %s: %s\n", count(modules, "module", "modules"), dir, summary)
	return err
}
