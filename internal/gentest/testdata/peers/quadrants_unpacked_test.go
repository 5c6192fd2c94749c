package peers

import (
	"unsafe"

	"github.com/qdgen/qd/f32"
)

var quadrantsUnpacked = []peerCase{
	{"test_unpacked_construction_python_scope", "the fields that an unpacked vector becomes", "outside of kernels it is the vector: the layout is Go's", func(c *check) {
		equal(c, unsafe.Sizeof(tile{}), 16)
		tiles, out := []tile{{}, {}}, make([]float32, 1)
		c.launch(unpackedArray, 1, tiles, out)
		equal(c, tiles, []tile{{r: [4]float32{0, 1, 2, 3}}, {r: [4]float32{10, 11, 12, 13}}})
	}},
	{"test_unpacked_static_index_write_then_read", "constant indices", "", func(c *check) { gives(c, []float32{1, 2, 3, 4}, unpackedConstants) }},
	{"test_unpacked_qd_static_loop_index", "indices of an unrolled loop", "", func(c *check) { gives(c, []float32{10, 11, 12, 13}, unpackedLoop) }},
	{"test_unpacked_runtime_index_rejected", "a runtime index is an error", "", func(c *check) {
		c.refuses("unpacked", unpackedRuntime, make([]float32, 1))
	}},
	{"test_unpacked_oob_static_index", "an index out of range is an error", "a constant one is the Go compiler's", func(c *check) {
		c.refuses("out of range", unpackedOutOfRange, make([]float32, 1))
	}},
	{"test_unpacked_call_rejected_outside_dataclass, test_unpacked_field_constructor_rejected_outside_dataclass, test_unpacked_ndarray_constructor_rejected_outside_dataclass", "an unpacked vector that is no field", "the tag is one of fields", nil},
	{"test_unpacked_nested_in_outer_dataclass", "a field of a field", "", func(c *check) { gives(c, []float32{24}, unpackedNested) }},
	{"test_unpacked_struct_field_subscript", "an array of structs with one", "", func(c *check) { gives(c, []float32{14}, unpackedArray, make([]tile, 2)) }},
	{"test_unpacked_struct_field_subscript_nested", "and nested", "", func(c *check) { gives(c, []float32{21}, unpackedNestedArray, make([]outerTile, 1)) }},
	{"test_unpacked_collision_with_earlier_field", "a field with the name that an element has", "the names have no underscore", func(c *check) {
		c.refuses("r0", unpackedCollidesEarlier, make([]float32, 1))
	}},
	{"test_unpacked_collision_with_later_field", "which comes later", "", func(c *check) { c.refuses("r2", unpackedCollidesLater, make([]float32, 1)) }},
	{"the page's table: arithmetic, reductions", "an unpacked vector is no value", "", func(c *check) {
		c.refuses("unpacked", unpackedArithmetic, make([]f32.Vec4, 1))
	}},
	{"the page's table: swizzle", "nor has it swizzles", "", func(c *check) { c.refuses("unpacked", unpackedSwizzle, make([]f32.Vec2, 1)) }},
	{"the page's table: pass, copy", "nor is it passed or copied", "the struct is", func(c *check) {
		c.refuses("unpacked", unpackedPassed, make([]float32, 1))
		c.refuses("unpacked", unpackedCopied, make([]float32, 1))
	}},
}
