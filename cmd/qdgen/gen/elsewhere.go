package gen

import (
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// isVendored reports whether a package of another module is read in a vendor directory. go mod vendor writes that, and
// removes what others have written into it.
func isVendored(p *packages.Package) bool {
	if p.Module == nil || p.Module.Main || len(p.GoFiles) == 0 {
		return false
	}
	return strings.HasSuffix(filepath.ToSlash(filepath.Dir(p.GoFiles[0])), "/vendor/"+p.PkgPath)
}

// notHere says why a package has its file written elsewhere, and how; "" for one that is being worked on.
func (s *source) notHere() string {
	switch {
	case isDevelopment(s.Package) && isVendored(s.Package):
		dir, first := s.Module.Path, ""
		if r := s.Module.Replace; r != nil {
			dir = r.Path
		}
		if !s.asks() && len(s.kernels()) == 0 {
			first = "add //go:generate go tool qdgen gen to it there, "
		}
		return fmt.Sprintf("package %s is in a vendor directory, which go mod vendor writes: its files come from %s; %srun go tool qdgen gen there, and go mod vendor again",
			s.PkgPath, dir, first)
	case !isDevelopment(s.Package):
		return fmt.Sprintf("package %s is of %s, which is not being worked on here: the module must be released with a %s", s.PkgPath, moduleVersion(s.Package), FileName)
	}
	return ""
}
