package build

import (
	"encoding/binary"
	"maps"
	"slices"
	"sort"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
)

// Options say which build of which specialization of a kernel is wanted.
type Options = frontend.Options

// keyOf encodes options as a part of keys. Equal bytes mean equal specializations, if an Environment gives the same
// answers. Values are encoded with their types and all of their bits.
func keyOf(o Options) []byte {
	var key []byte
	flag := func(set bool) {
		if set {
			key = append(key, 1)
		} else {
			key = append(key, 0)
		}
	}
	flag(o.Checked)
	flag(o.Fused)
	flag(o.Narrow)
	flag(o.Env != nil)
	key = binary.AppendUvarint(key, uint64(o.Interchange))
	key = binary.AppendUvarint(key, uint64(o.BlockDim))
	key = binary.AppendUvarint(key, uint64(o.Stages))
	key = binary.AppendUvarint(key, uint64(len(o.Consts)))
	params := slices.Collect(maps.Keys(o.Consts))
	sort.Ints(params)
	for _, i := range params {
		key = o.Consts[i].Append(binary.AppendUvarint(key, uint64(i)))
	}
	flag(o.Receiver != nil)
	if o.Receiver != nil {
		key = o.Receiver.Append(key)
	}
	key = binary.AppendUvarint(key, uint64(len(o.Captured)))
	names := slices.Collect(maps.Keys(o.Captured))
	sort.Strings(names)
	for _, name := range names {
		key = comptime.Value{Kind: comptime.String, Str: name}.Append(key)
		key = o.Captured[name].Append(key)
	}
	return key
}

// concrete reports whether options have no values that specialize the kernel.
func concrete(o Options) bool {
	return len(o.Consts) == 0 && o.Receiver == nil && len(o.Captured) == 0
}
