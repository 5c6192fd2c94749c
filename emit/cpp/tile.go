package cpp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/qdgen/qd/emit"
)

// tileParams replaces the parameters of the function that runs a thread by what it has of its tile.
func tileParams(k *emit.Kernel, params []string) {
	for _, p := range k.Tile.Params {
		constant := ""
		if !p.Stores {
			constant = "const "
		}
		params[p.Param] = constant + p.Type + "& " + k.Params[p.Param].Name
	}
}

// tiles is the function that runs threads in whole tiles.
func tiles(k *emit.Kernel) []string {
	n := k.Tile.Threads
	args := arguments(k, k.ThreadLiteral("lane", nil, "args.dim[%d]", "", "", ""), "args")
	var locals, loads, stores []string
	for _, p := range k.Tile.Params {
		element := fmt.Sprintf("&args.%s[flat]", k.Params[p.Param].Field)
		args[1+p.Param] = p.Local
		locals = append(locals, fmt.Sprintf("        %s %s;", p.Type, p.Local))
		if p.Loads {
			loads = append(loads, fmt.Sprintf("        %s.load(%s);", p.Local, element))
		}
		if p.Stores {
			stores = append(stores, fmt.Sprintf("        %s.store(%s);", p.Local, element))
		}
	}
	return slices.Concat([]string{
		fmt.Sprintf("// Runs the threads begin to end-1, %d at once, each with its place among these. The numbers of their", n),
		"// elements are transposed on the way.",
		fmt.Sprintf("static void %s_tiles(const %s& args, int64 begin, int64 end) {", k.Symbol, k.Args()),
		fmt.Sprintf("    for (int64 flat = begin; flat < end; flat += %d) {", n),
	}, locals, loads, []string{
		k.Hint,
		fmt.Sprintf("        for (int64 lane = 0; lane < %d; lane++) {", n),
		fmt.Sprintf("            %s_thread(%s);", k.Symbol, strings.Join(args, ", ")),
		"        }",
	}, stores, []string{"    }", "}", ""})
}

// inTiles are the lines of a kernel that runs its threads in tiles.
func inTiles(k *emit.Kernel) []string {
	n := k.Tile.Threads
	var locals, copies, stores []string
	for _, p := range k.Tile.Params {
		field := k.Params[p.Param].Field
		locals = append(locals, fmt.Sprintf("    %s %s[%d];", p.Element, p.Local, n))
		copies = append(copies, fmt.Sprintf("    last.%s = qd::pad(%s, &all.%s[whole], end - whole);", field, p.Local, field))
		if p.Stores {
			stores = append(stores, fmt.Sprintf("        all.%s[i] = %s[i - whole];", field, p.Local))
		}
	}
	return slices.Concat(copyOfArgs(k, "all"), []string{
		fmt.Sprintf("    const int64 whole = end - (end - begin) %% %d;", n),
		fmt.Sprintf("    %s_tiles(all, begin, whole);", k.Symbol),
		"    if (whole == end) return;",
		"    // Threads that are too few for a tile are joined by others that do the same as the last one.",
		"    " + k.Args() + " last = all;",
	}, locals, copies, []string{
		fmt.Sprintf("    %s_tiles(last, 0, %d);", k.Symbol, n),
		"    for (int64 i = whole; i < end; i++) {",
	}, stores, []string{"    }", "}"})
}
