package hostshim

import (
	"regexp"
	"strings"
)

// assembly is an instruction of PTX with operands: its name, what it writes and what it reads, as CUDA has it in the
// text.
var assembly = regexp.MustCompile(`asm(?: volatile)?\("([a-z0-9_.:]+);?(?: [^"]*)?" *: *([^:;]*?) *(?:: *([^:;]*?) *)?(?:: *"memory" *)?\);`)

// operand is one operand with its constraint.
var operand = regexp.MustCompile(`"[+=]?[a-z]" *\(`)

// withoutAssembly makes calls of functions of instructions of PTX: of mma.sync.x the function ptx_mma_sync_x, with all
// operands. It also reports whether there was any.
func withoutAssembly(text string) (string, bool) {
	found := false
	text = assembly.ReplaceAllStringFunc(text, func(s string) string {
		found = true
		m := assembly.FindStringSubmatch(s)
		var args []string
		for _, list := range m[2:] {
			if list != "" {
				args = append(args, operand.ReplaceAllString(list, "("))
			}
		}
		return "ptx_" + strings.NewReplacer(".", "_", "::", "_").Replace(m[1]) + "(" + strings.Join(args, ", ") + ");"
	})
	return text, found
}
