package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/cache/remote"
)

// remoteFlags are flags of commands for the remote cache.
type remoteFlags struct {
	remote bool
	name   string // of the list
}

// list adds the flag --list.
func (f *remoteFlags) list(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.name, "list", "main", "with a remote cache: the name of the list of what was pushed")
}

// openStore opens the remote cache that the environment names.
func openStore(c *cache.Cache) (*remote.Store, error) {
	config, err := remote.FromEnvironment()
	if err != nil {
		return nil, err
	}
	if config == nil {
		return nil, errors.New("QD_CACHE_REMOTE is not set; it names a remote cache: https://HOST/PATH")
	}
	return remote.NewStore(c, config), nil
}

// remoteAlways is a flag --remote of a command that is about the remote cache anyway.
func remoteAlways(cmd *cobra.Command) {
	cmd.Flags().Bool("remote", true, "use the remote cache that QD_CACHE_REMOTE names; there is no other")
}

func newCachePushCommand() *cobra.Command {
	var asJSON bool
	var far remoteFlags
	cmd := &cobra.Command{
		Use:   "push",
		Short: "Upload the local cache to the remote cache",
		Long: `Push uploads modules and tuned times of the local cache that the remote cache
does not have, and adds all of them to a list there, by which 'qdgen cache pull'
goes. What nobody has pushed for 30 days leaves the list.

Programs that use a remote cache upload what they build by themselves. Push is for
the end of a job whose machine goes away, and for programs that do not speak to a
remote cache.`,
		Example: "  QD_CACHE_REMOTE=https://cache.example.com qdgen cache push",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := openCache()
			if err != nil {
				return err
			}
			s, err := openStore(c)
			if err != nil {
				return err
			}
			done, err := s.Push(cmd.Context(), far.name)
			if err != nil {
				return fmt.Errorf("pushed %s, but not all: %w", count(done.Uploaded, "entry", "entries"), err)
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), done)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "Pushed %s to %s, which had %d\n", count(done.Uploaded, "entry", "entries"), s.URL(), done.There)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object with uploaded, there (entries that the remote had) and listed")
	remoteAlways(cmd)
	far.list(cmd)
	return cmd
}

func newCachePullCommand() *cobra.Command {
	var asJSON bool
	var far remoteFlags
	cmd := &cobra.Command{
		Use:   "pull",
		Short: "Download from the remote cache what was pushed",
		Long: `Pull downloads the modules and tuned times on the list of 'qdgen cache push' that
the local cache does not have. Where QD_CACHE_KEY is set, it takes only what is
signed with one of its keys.`,
		Example: "  QD_CACHE_REMOTE=https://cache.example.com qdgen cache pull",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := openCache()
			if err != nil {
				return err
			}
			s, err := openStore(c)
			if err != nil {
				return err
			}
			done, err := s.Pull(cmd.Context(), far.name)
			if err != nil {
				return fmt.Errorf("pulled %s, but not all: %w", count(done.Downloaded, "entry", "entries"), err)
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), done)
			}
			missing := ""
			if done.Missing > 0 {
				missing = fmt.Sprintf("; the remote has no more of %d", done.Missing)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "Pulled %s from %s; %d were here%s\n", count(done.Downloaded, "entry", "entries"), s.URL(), done.Here, missing)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object with downloaded, here (entries that the local cache had) and missing (those that the remote has no more)")
	remoteAlways(cmd)
	far.list(cmd)
	return cmd
}

// verifyRemote is the command cache verify --remote.
func verifyRemote(cmd *cobra.Command, c *cache.Cache, far remoteFlags, asJSON bool) error {
	s, err := openStore(c)
	if err != nil {
		return err
	}
	done, err := s.Verify(cmd.Context(), far.name)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if asJSON {
		err = printJSON(out, struct {
			Remote string `json:"remote"`
			remote.Verified
		}{s.URL(), done})
	} else {
		err = printRemoteProblems(out, s.URL(), done)
	}
	if err == nil && len(done.Problems) > 0 {
		err = errReported
	}
	return err
}

func printRemoteProblems(out io.Writer, url string, done remote.Verified) error {
	for _, p := range done.Problems {
		if _, err := fmt.Fprintf(out, "%s %s: %s\n", p.Kind, p.Key, p.Problem); err != nil {
			return err
		}
	}
	summary := "no problems"
	if n := len(done.Problems); n > 0 {
		summary = count(n, "problem", "problems")
	}
	if done.Missing > 0 {
		summary += fmt.Sprintf("; %d on the list are not there any more", done.Missing)
	}
	_, err := fmt.Fprintf(out, "%s in %s: %s\n", count(done.Whole, "whole entry", "whole entries"), url, summary)
	return err
}

// printRemote prints what programs on this machine have had of remote caches.
func printRemote(out io.Writer, c *cache.Cache) error {
	url := os.Getenv("QD_CACHE_REMOTE")
	totals := remote.TotalsOf(c)
	if url == "" && totals == (remote.Totals{}) {
		return nil
	}
	waiting := ""
	if totals.Waiting > 0 {
		waiting = fmt.Sprintf(", %d to be uploaded", totals.Waiting)
	}
	_, err := fmt.Fprintf(out, "Remote cache: %s, %s, %s, %s%s\n", count(int(totals.Hits), "hit", "hits"),
		count(int(totals.Misses), "miss", "misses"), count(int(totals.Failures), "failure", "failures"),
		count(int(totals.Uploads), "upload", "uploads"), waiting)
	return err
}

func newCacheKeyCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "key FILE",
		Short: "Make a pair of keys to sign entries of a remote cache",
		Long: `Key writes a new ed25519 private key to FILE, for those who write to a remote
cache, and its public key to FILE.pub, for those who only read from it. Both are
PEM. QD_CACHE_KEY is the name of such a file, or its content. Existing files are
kept.`,
		Example: "  qdgen cache key cache-key.pem\n  QD_CACHE_KEY=cache-key.pem.pub qdgen cache pull",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || strings.TrimSpace(args[0]) == "" {
				return usageErrorf("cache key takes the name of one file, for the private key")
			}
			file, public := args[0], args[0]+".pub"
			private, pub, err := remote.NewKeys()
			if err != nil {
				return err
			}
			if err := writeNew(file, private, 0o600); err != nil {
				return err
			}
			if err := writeNew(public, pub, 0o644); err != nil {
				return errors.Join(err, os.Remove(file))
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), struct {
					Private string `json:"private"`
					Public  string `json:"public"`
				}{file, public})
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "Wrote the private key to %s and the public key to %s\n", file, public)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object with private and public, the names of the files")
	return cmd
}

// writeNew writes a file that does not exist yet.
func writeNew(name string, data []byte, perm os.FileMode) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// examineRemote asks the remote cache for something.
func examineRemote() finding {
	const name = "remote cache"
	config, err := remote.FromEnvironment()
	if err != nil {
		return missing(name, err)
	}
	if config == nil {
		return finding{Name: name, OK: true, Text: "off"}
	}
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
	defer stop()
	begin := time.Now()
	if err := remote.NewStore(nil, config).Ping(ctx); err != nil {
		return missing(name, err)
	}
	text := fmt.Sprintf("%s, answers in %v", config.URL, time.Since(begin).Round(time.Millisecond))
	switch {
	case config.ReadOnly:
		text += ", read only"
	case config.Keys.CanSign():
		text += ", uploads are signed"
	}
	return finding{Name: name, OK: true, Text: text}
}
