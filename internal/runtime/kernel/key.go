package kernel

import "encoding/binary"

// AppendKey appends to key what tells the specializations of a kernel apart: the values of
// its receiver, of what it captures and of its constants.
func (k *Kernel) AppendKey(key []byte, consts []any) []byte {
	if k.Literal {
		n := 0
		if k.captured != nil {
			n = len(k.captured.key)
		}
		key = binary.NativeEndian.AppendUint64(key, uint64(n))
		if n > 0 {
			key = append(key, k.captured.key...)
		}
	}
	if k.receiver != nil {
		key = k.receiver.Append(key, k.receiver.In(&k.recv))
	}
	for i := range k.Consts {
		e := k.Consts[i].encoding
		key = e.Append(key, e.In(&consts[i]))
	}
	return key
}

// AppendArg appends to key what tells an argument apart from others that make another specialization. All that the
// parameter cannot take are one.
func (p *ConstParam) AppendArg(key []byte, arg any) []byte {
	fit, problem := p.Check(arg)
	if problem != "" {
		return append(key, 0)
	}
	return p.encoding.Append(append(key, 1), p.encoding.In(&fit))
}
