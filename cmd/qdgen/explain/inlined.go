package explain

import (
	"regexp"
	"strings"
)

// This file reads from assembly which functions the compiler has inlined where. Clang writes the tables for debuggers
// with a comment on each entry (version 4 of DWARF):
//
//	.byte	4                # Abbrev [4] 0x43:0x14 DW_TAG_inlined_subroutine
//	.quad	.Ltmp3           # DW_AT_low_pc
//	.long	.Ltmp6-.Ltmp3    # DW_AT_high_pc
//	.byte	12               # DW_AT_call_line
//
// An entry of several ranges has DW_AT_ranges with a label, behind which pairs of labels stand.

var (
	tableEntry = regexp.MustCompile(`^\s*\.\w+\s+(\S+)\s+# .*?(DW_TAG_\w+|DW_AT_\w+)`)
	textLabel  = regexp.MustCompile(`^(\.L\w+):`)
	rangeStart = regexp.MustCompile(`^(\.Ldebug_ranges\d+):`)
	rangeLimit = regexp.MustCompile(`^\s*\.quad\s+(\.L\w+)-\.L\w+`)
)

// An inlining is a call whose callee stands in its place: the line of the call, and where the callee's code is, from
// label to label.
type inlining struct {
	line   int
	ranges [][2]string
}

// callsOf gives for each line of assembly the lines of the calls by which its code has come there, the innermost first.
func callsOf(lines []string) map[int][]int {
	labels := make(map[string]int)
	lists := make(map[string][][2]string) // ranges, by their label
	var all []*inlining
	var in *inlining
	list, low, first := "", "", ""
	for i, line := range lines {
		if m := found(rangeStart, ".Ldebug_ranges", line); m != nil {
			list, first = m[1], ""
			continue
		}
		if m := found(textLabel, ":", line); m != nil {
			labels[m[1]] = i
			continue
		}
		if m := found(rangeLimit, ".quad", line); m != nil && list != "" {
			if first == "" {
				first = m[1]
			} else {
				lists[list] = append(lists[list], [2]string{first, m[1]})
				first = ""
			}
			continue
		}
		m := found(tableEntry, "DW_", line)
		switch {
		case m == nil:
		case strings.HasPrefix(m[2], "DW_TAG_"):
			in = nil
			if m[2] == "DW_TAG_inlined_subroutine" && strings.Contains(line, "Abbrev [") {
				in = new(inlining)
				all = append(all, in)
			}
		case in == nil:
		case m[2] == "DW_AT_low_pc":
			low = m[1]
		case m[2] == "DW_AT_high_pc":
			high, _, _ := strings.Cut(m[1], "-")
			in.ranges = append(in.ranges, [2]string{low, high})
		case m[2] == "DW_AT_ranges":
			in.ranges = append(in.ranges, [2]string{m[1], ""}) // the list comes later
		case m[2] == "DW_AT_call_line":
			in.line = number(m[1])
		}
	}
	calls := make(map[int][]int)
	for _, in := range all { // outer ones before those within
		for _, r := range in.ranges {
			parts := [][2]string{r}
			if r[1] == "" {
				parts = lists[r[0]]
			}
			for _, p := range parts {
				from, ok := labels[p[0]]
				to, ends := labels[p[1]]
				for i := from; ok && ends && i < to; i++ {
					calls[i] = append([]int{in.line}, calls[i]...)
				}
			}
		}
	}
	return calls
}
