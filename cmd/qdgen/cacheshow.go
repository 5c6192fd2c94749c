package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/nvrtc"
)

// A form is one in which cache show prints a module.
type form struct {
	name, target, doc string
	show              func(e *cache.Entry, source string) (string, error)
}

var forms = []form{
	{"source", "", "the C++ or CUDA that was compiled (default)", func(_ *cache.Entry, source string) (string, error) { return source, nil }},
	{"asm", "cpp", "assembly, which the C++ compiler makes of the source again", func(_ *cache.Entry, source string) (string, error) {
		return compileText(context.Background(), "asm", source)
	}},
	{"ptx", "cuda", "PTX: the module, or what NVRTC makes of the source again", showKeptPTX},
	{"sass", "cuda", "the module's machine code, from nvdisasm", showKeptSASS},
}

// showKeptPTX shows the PTX of a module.
func showKeptPTX(e *cache.Entry, source string) (string, error) {
	if filepath.Ext(e.Path) == ".ptx" {
		text, err := os.ReadFile(e.Path)
		return string(text), err
	}
	return ptxOf(e.Kernel, source, e.Arch, false)
}

// showKeptSASS disassembles a module.
func showKeptSASS(e *cache.Entry, _ string) (string, error) {
	if filepath.Ext(e.Path) != ".cubin" {
		return "", errors.New("the module is PTX, which the driver compiles when it loads it; use --what ptx")
	}
	tool, err := nvrtc.FindDisassembler()
	if err != nil {
		return "", err
	}
	cubin, err := os.ReadFile(e.Path)
	if err != nil {
		return "", err
	}
	return tool.Disassemble(context.Background(), cubin)
}

func newCacheShowCommand() *cobra.Command {
	var asJSON bool
	var what string
	var docs strings.Builder
	names := make([]string, len(forms))
	for i, f := range forms {
		names[i] = f.name
		only := ""
		if f.target != "" {
			only = " (target " + f.target + ")"
		}
		fmt.Fprintf(&docs, "  %-7s %s%s\n", f.name, f.doc, only)
	}
	cmd := &cobra.Command{
		Use:   "show KEY",
		Short: "Print the code of a module",
		Long: `Show prints the code of a module in the cache. The key is one that 'qdgen cache
list' or a line of the log shows. Its first digits are enough if no other key begins
with them. --what says what is printed:

` + docs.String(),
		Example: "  qdgen cache show 6cd1d53\n  qdgen cache show 6cd1d53 --what asm",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageErrorf("cache show takes one key, or the first digits of one; 'qdgen cache list' shows the keys")
			}
			i := slices.Index(names, what)
			if i < 0 {
				return usageErrorf("--what %s: the forms are %s", what, strings.Join(names, ", "))
			}
			c, err := openCache()
			if err != nil {
				return err
			}
			return showModule(cmd.OutOrStdout(), c, args[0], forms[i], asJSON)
		},
	}
	cmd.Flags().StringVar(&what, "what", "source", "what to print: "+strings.Join(names, ", "))
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object with what cache list --json prints, and what and text")
	if err := cmd.RegisterFlagCompletionFunc("what", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return names, cobra.ShellCompDirectiveNoFileComp
	}); err != nil {
		panic("BUG: " + err.Error())
	}
	return cmd
}

// showModule prints the module whose key begins so.
func showModule(out io.Writer, c *cache.Cache, prefix string, f form, asJSON bool) error {
	e, err := findModule(c, prefix)
	if err != nil {
		return err
	}
	if f.target != "" && f.target != e.Target {
		return fmt.Errorf("module %s is for target %s; --what %s is for target %s", e.Key.Short(), e.Target, f.name, f.target)
	}
	source, err := c.Source(e.Key)
	if err != nil {
		return fmt.Errorf("the source of module %s cannot be read: %w", e.Key.Short(), err)
	}
	text, err := f.show(e, source)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(out, struct {
			*cache.Entry
			What string `json:"what"`
			Text string `json:"text"`
		}{e, f.name, text})
	}
	_, err = io.WriteString(out, text)
	return err
}

// digits are what a key has.
var digits = regexp.MustCompile(`^[0-9a-f]{1,64}$`)

// findModule finds the one module whose key begins so.
func findModule(c *cache.Cache, prefix string) (*cache.Entry, error) {
	if !digits.MatchString(prefix) {
		return nil, usageErrorf("%q is no key, which has digits from 0 to 9 and a to f; 'qdgen cache list' shows the keys", prefix)
	}
	list, err := c.List()
	if err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(slices.Clone(list), func(e cache.Entry) bool { return !strings.HasPrefix(e.Key.String(), prefix) })
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("no module in %s has a key that begins with %s; 'qdgen cache list' shows the keys", c.Dir(), prefix)
	case 1:
		return &found[0], nil
	}
	const most = 10
	n := keyLength(list)
	text := fmt.Sprintf("%d keys begin with %s; give more digits:", len(found), prefix)
	for _, e := range found[:min(most, len(found))] {
		text += fmt.Sprintf("\n  %s  %s", e.Key.String()[:n], e.Kernel)
	}
	if more := len(found) - most; more > 0 {
		text += fmt.Sprintf("\n  and %d more", more)
	}
	return nil, errors.New(text)
}

// keyLength is how many digits tell the keys of a list apart, at least as many as the log shows.
func keyLength(list []cache.Entry) int {
	n := len(cache.Key{}.Short())
	keys := make([]string, len(list))
	for i, e := range list {
		keys[i] = e.Key.String()
	}
	slices.Sort(keys)
	for i := 1; i < len(keys); i++ {
		for n < len(keys[i]) && keys[i][:n] == keys[i-1][:n] {
			n++
		}
	}
	return n
}
