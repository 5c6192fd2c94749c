package cpp

import (
	"fmt"
	"strings"

	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/ssa"
)

// openPhased begins the function that runs one block of a kernel whose threads use their
// block: for each phase between barriers a loop over the lanes.
func openPhased(k *emit.Kernel) []string {
	lines := []string{
		fmt.Sprintf("static void %s_block(const %s& args, int64 block) {", k.Symbol, k.Args()),
		"    const int64 first = block * args.block;",
	}
	if k.Lanes != "" {
		lines = append(lines,
			"    const int64 rest = "+threads(k)+" - first;",
			"    const int64 "+k.Lanes+" = rest < args.block ? rest : args.block;")
	}
	for _, p := range k.Params {
		if p.Name == "" {
			continue
		}
		constant := ""
		if p.Const {
			constant = "const "
		}
		lines = append(lines, fmt.Sprintf("    %s%s %s = %s;", constant, p.Type, p.Name, p.In("args")))
	}
	return lines
}

// threads is the number of threads of a launch.
func threads(k *emit.Kernel) string {
	rank := k.Func.Rank
	if rank == 0 {
		rank = 4 // sizes past the launch's are 1
	}
	var dims []string
	for axis := range rank {
		dims = append(dims, fmt.Sprintf("args.dim[%d]", axis))
	}
	return strings.Join(dims, " * ")
}

// places splits a flat index into those along the axes.
func places(rank int, flat, args string) []string {
	ids := make([]string, rank)
	rest := flat
	for axis := rank - 1; axis > 0; axis-- {
		ids[axis] = fmt.Sprintf("modulo(%s, %s.dim[%d])", rest, args, axis)
		rest = fmt.Sprintf("quotient(%s, %s.dim[%d])", rest, args, axis)
	}
	if rank > 0 {
		ids[0] = rest
	}
	return ids
}

// laneThread begins the turn of a lane, with its Thread if it has a name.
func laneThread(k *emit.Kernel, name, lane string) []string {
	flat := "first + " + lane
	var lines []string
	if k.Faults {
		lines = append(lines, "qd::running.flat = "+flat+";")
	}
	if name == "" {
		return lines
	}
	return append(lines, fmt.Sprintf("const %s %s%s;", k.Place, name, k.ThreadLiteral(flat, places(k.Func.Rank, flat, "args"), "args.dim[%d]", lane, "block", "args.block")))
}

// openBlock begins the function that runs one block of a Block kernel.
func openBlock(k *emit.Kernel) []string {
	place := k.Place
	if k.Thread != "" {
		place += " " + k.Thread
	}
	params := []string{place}
	for _, p := range k.Params {
		param := p.Type
		if p.Name != "" {
			param += " " + p.Name
		}
		params = append(params, param)
	}
	return []string{fmt.Sprintf("static void %s_block(%s) {", k.Symbol, strings.Join(params, ", "))}
}

// blocks are the lines that run the blocks begin to end-1.
func blocks(k *emit.Kernel) []string {
	call := k.Symbol + "_block(a, block);"
	if k.Func.Kind == ssa.BlockKernel {
		args := arguments(k, k.BlockLiteral("block", places(k.Func.Rank, "block", "a")), "a")
		call = k.Symbol + "_block(" + strings.Join(args, ", ") + ");"
	}
	lines := append(copyOfArgs(k, "a"), "    for (int64 block = begin; block < end; block++) {")
	if k.Faults && k.Func.Kind == ssa.BlockKernel {
		lines = append(lines, "        qd::running.flat = block;")
	}
	return append(lines, "        "+call, "    }", "}")
}
