// Package library gives tools and tests the source that the running program has registered, so that
// they can compile kernels without launching them. The source of package qd is always registered in
// programs with this package.
package library

import (
	_ "github.com/qdgen/qd" // registers its source
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/runtime/registry"
)

// Sources is the registered source, that of package qd's own kernel-facing files among it.
func Sources() load.Sources { return registry.Sources() }

// Environment is what this program knows beyond its source: its registered package variables and the code of
// its qd.Static expressions.
func Environment() frontend.Environment { return registry.NewEnv() }
