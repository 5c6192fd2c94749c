package gradient_test

import (
	"testing"

	"github.com/qdgen/qd/internal/randprog"
)

// tileSource is the kernel of tiles of a seed.
func tileSource(seed uint64) string {
	return "package k\n\nimport (\n\t\"github.com/qdgen/qd\"\n\t\"github.com/qdgen/qd/tile\"\n)\n\n" + randprog.TileGradient(seed, "k") + "\nvar _ tile.Tile[int32]\n"
}

// Gradients of random kernels of tiles are what differences say. There is a third as many of them: each takes longer than others.
func TestRandomTiles(t *testing.T) {
	const blocks = 2
	old, n := elements, *programs
	defer func() { elements, *programs = old, n }()
	*programs = (n + 2) / 3
	elements = blocks * randprog.TileGradientSide * randprog.TileGradientSide
	compareRandom(t, tileSource, blocks)
}
