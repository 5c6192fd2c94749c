package main

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestUsageErrors(t *testing.T) {
	for _, c := range []struct {
		args string
		says []string
	}{
		{"", []string{"qdgen needs a command: cache, ", "Run 'qdgen --help' for usage."}},
		{"cahce", []string{`qdgen has no command "cahce"; did you mean cache?`}},
		{"frobnicate", []string{`qdgen has no command "frobnicate"`, "Run 'qdgen --help'"}},
		{"--frobnicate", []string{"unknown flag: --frobnicate"}},
		{"cache", []string{"qdgen cache needs a command: clear, key, list, path, pull, push, show, verify"}},
		{"cache lsit", []string{`qdgen cache has no command "lsit"; did you mean list?`, "Run 'qdgen cache --help'"}},
		{"cache list saxpy", []string{`qdgen cache list takes no arguments, but there is "saxpy"`, "Run 'qdgen cache list --help'"}},
		{"cache list --remove", []string{"unknown flag: --remove"}},
		{"cache clear all", []string{"takes no arguments"}},
		{"cache verify --json=maybe", []string{`invalid argument "maybe" for "--json" flag`}},
		{"version 2", []string{"takes no arguments"}},
		{"completion", []string{"qdgen completion needs a command: bash, "}},
		{"completion tcsh", []string{`qdgen completion has no command "tcsh"`}},
		{"help frobnicate", []string{`qdgen has no command "frobnicate"`}},
		{"help cache frobnicate", []string{`qdgen cache has no command "frobnicate"`}},
	} {
		t.Run(c.args, func(t *testing.T) {
			r := qdgen(t, "", nil, strings.Fields(c.args)...)
			r.want(t, exitUsage, nil, append(c.says, "qdgen: ", "for usage."))
		})
	}
}

func TestHelp(t *testing.T) {
	want := []string{"Usage:\n  qdgen [command]\n", "Examples:", "cache ", "emit ", "version ", "exit status"}
	for _, args := range []string{"--help", "-h", "help"} {
		qdgen(t, "", nil, args).want(t, exitOK, want, nil)
	}
	flag := qdgen(t, "", nil, "cache", "list", "--help")
	flag.want(t, exitOK, []string{"Usage:\n  qdgen cache list [flags]\n", "Examples:", "--json"}, nil)
	if command := qdgen(t, "", nil, "help", "cache", "list"); command != flag {
		t.Errorf("help cache list prints\n%s\nand cache list --help prints\n%s", command.stdout, flag.stdout)
	}
}

// Every command's help says what it is for and shows an example, and no line of
// what is written here is too wide for a terminal.
func TestHelpOfEveryCommand(t *testing.T) {
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		cobras := cmd.CommandPath() != "qdgen completion" && strings.HasPrefix(cmd.CommandPath(), "qdgen completion")
		if cmd.Short == "" || cmd.Long == "" || (cmd.Example == "" && !cobras) {
			t.Errorf("%s: a short or long text or the example is missing", cmd.CommandPath())
		}
		if strings.HasSuffix(cmd.Short, ".") {
			t.Errorf("%s: the short text ends in a period", cmd.CommandPath())
		}
		for line := range strings.Lines(cmd.Long + "\n" + cmd.Example) {
			if len(line) > 85 && !cobras {
				t.Errorf("%s: too wide: %s", cmd.CommandPath(), line)
			}
		}
		for line := range strings.Lines(cmd.Example) {
			if !cobras && !strings.Contains(line, "qdgen") {
				t.Errorf("%s: an example that is none: %s", cmd.CommandPath(), line)
			}
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(newRootCommand())
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		qdgen(t, "", nil, "completion", shell).want(t, exitOK, []string{"qdgen"}, nil)
	}
	var out bytes.Buffer
	if status := run([]string{"__complete", "cache", ""}, &out, io.Discard); status != exitOK {
		t.Errorf("exit status %d", status)
	}
	for _, name := range []string{"list\t", "clear\t", "path\t", "verify\t"} {
		if !strings.Contains(out.String(), name) {
			t.Errorf("%q is not among what completes \"cache\":\n%s", name, out.String())
		}
	}
	out.Reset()
	if run([]string{"__complete", "help", "cache", ""}, &out, io.Discard); !strings.Contains(out.String(), "verify\t") {
		t.Errorf("\"verify\" is not among what completes \"help cache\":\n%s", out.String())
	}
}

func TestVersion(t *testing.T) {
	line := qdgen(t, "", nil, "version")
	line.want(t, exitOK, []string{"qdgen ", " go1."}, nil)
	if flag := qdgen(t, "", nil, "--version"); flag != line {
		t.Errorf("--version prints %q, version prints %q", flag.stdout, line.stdout)
	}
	var v versionInfo
	r := qdgen(t, "", nil, "version", "--json")
	r.want(t, exitOK, []string{"{"}, nil)
	r.parse(t, &v)
	if v.Version == "" || !strings.Contains(line.stdout, v.Version) || !strings.Contains(line.stdout, v.Platform) {
		t.Errorf("JSON %+v does not fit %q", v, line.stdout)
	}
}

// One dash does for flags of several letters, and flags of one letter keep their meaning.
func TestOneDash(t *testing.T) {
	for _, tt := range []struct{ args, want []string }{
		{[]string{"gen", "-check", "./..."}, []string{"gen", "--check", "./..."}},
		{[]string{"gen", "-check=true"}, []string{"gen", "--check=true"}},
		{[]string{"emit", "-target", "ssa", "-o", "dir", "-odir", "--kernel=k"}, []string{"emit", "--target", "ssa", "-o", "dir", "-odir", "--kernel=k"}},
		{[]string{"emit", "-const", "n=-1", "-nothing", "--", "-target"}, []string{"emit", "--const", "n=-1", "-nothing", "--", "-target"}},
		{[]string{"-help"}, []string{"-help"}},
	} {
		if got := withTwoDashes(newRootCommand(), tt.args); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.args, got, tt.want)
		}
	}
	qdgen(t, ".", nil, "emit", "-target", "ssa", "../../examples/saxpy").want(t, exitOK, []string{"kernel saxpy("}, nil)
}
