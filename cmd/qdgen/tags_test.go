package main

import "testing"

// TestTags looks at the files that the go command chooses in this environment: of packages, and of those that they import.
func TestTags(t *testing.T) {
	t.Parallel()
	dir := newModule(t, []byte(`-- kernels.go --
package app

import (
	"github.com/qdgen/qd"

	"example.com/app/sizes"
)

//qd:kernel
func fill(t qd.Thread, x []int) { x[t.ID()] = own*100 + sizes.Other }
-- special.go --
//go:build special

package app

const own = 7
-- common.go --
//go:build !special

package app

const own = 5
-- windows_windows.go --
package app

import "github.com/qdgen/qd"

//qd:kernel
func onWindows(t qd.Thread, x []int) { x[t.ID()] = missing }
-- sizes/special.go --
//go:build special && !cgo

package sizes

const Other = 3
-- sizes/common.go --
//go:build !special

package sizes

const Other = 2
`))
	special := append(inModule[1:len(inModule):len(inModule)], "GOFLAGS=-mod=mod -ldflags=-w -tags=more,special")
	qdgen(t, dir, special, "vet", "./...").want(t, 0, nil, nil)
	qdgen(t, dir, special, "emit", "--kernel", "fill", "--target", "cpp").want(t, 0, []string{"= 703;"}, nil)
	qdgen(t, dir, inModule, "vet").want(t, 0, nil, nil)
	qdgen(t, dir, inModule, "emit", "--kernel", "fill", "--target", "cpp").want(t, 0, []string{"= 502;"}, nil)
	// go vet does not tell its tool the tags, but which files the package has.
	goTool(t, dir, "vet", "-vettool="+binary, "-tags=special", ".")
	windows := append(inModule[:len(inModule):len(inModule)], "GOOS=windows")
	qdgen(t, dir, windows, "vet").want(t, 1, nil, []string{"windows_windows.go:6:52: undefined: missing"})
}
