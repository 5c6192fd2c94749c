package ssa

import (
	"reflect"
	"slices"
	"testing"
)

// Each field of an instruction tells operations apart, or is known not to. A new field is in one of the two lists, or
// passes take two operations for one that are not.
func TestVariant(t *testing.T) {
	compared := []string{"Args", "Results", "Const", "Callee"}                                                           // next to the variant
	effects := []string{"Format", "Message", "Rows", "Owned", "Whole", "Launch", "Async", "Blocks", "Target", "Changes"} // of what is not pure, or has blocks
	aside := []string{"Scratch", "Number", "Fit", "Vector", "Rolled", "Once", "Spread", "Label", "Block", "Pos", "Stmt"}
	known := slices.Concat(compared, effects, aside)
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Instr]()) {
		in := new(Instr)
		v := reflect.ValueOf(in).Elem().FieldByIndex(field.Index)
		switch v.Kind() {
		case reflect.Uint8, reflect.Uint16, reflect.Uint32:
			v.SetUint(1)
		case reflect.Int8, reflect.Int32, reflect.Int:
			v.SetInt(1)
		case reflect.Bool:
			v.SetBool(true)
		case reflect.String:
			v.SetString("x")
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
		}
		if apart := in.Variant() != new(Instr).Variant(); apart == slices.Contains(known, field.Name) {
			t.Errorf("%s: instructions that differ in it have variants that differ: %v", field.Name, apart)
		}
	}
}
