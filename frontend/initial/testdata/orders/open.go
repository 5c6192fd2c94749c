package orders

// Which of these variables the compiler reads early depends on their types, and on what else it knows of them.
var (
	throughInterface = func() [2]int {
		var v valued = value{1}
		f := func() int { v = value{7}; return 2 }
		return v.with(f())
	}()
	throughOther = func() [2]int {
		var v valued = value{1}
		f := func() int { v = other{7}; return 2 }
		return v.with(f())
	}()
	throughEmbedded = func() [2]int {
		v := struct{ valued }{value{1}}
		f := func() int { v.valued = other{7}; return 2 }
		return v.with(f())
	}()
	smallKey = func() [2]int {
		n := int8(1)
		m := map[int8]int{}
		f := func() int { n = 7; return 2 }
		m[n+1] = f()
		return [2]int{m[2], m[8]}
	}()
	arrayKey = func() [2]int {
		n := [1]int{1}
		m := map[[1]int]int{}
		f := func() int { n[0] = 7; return 2 }
		m[n] = f()
		return [2]int{m[[1]int{1}], m[[1]int{7}]}
	}()
	literalKey = func() [2]int {
		n := 1
		m := map[value]int{{1}: 1, {7}: 2}
		f := func() int { n = 7; return 10 }
		return [2]int{m[value{n}] + f(), 0}
	}()
	keyOfAppend = func() [2]int {
		t := [1]int{1}
		m := map[int][]int{}
		f := func() int { t[0] = 7; return 10 }
		m[t[0]] = append(m[t[0]], f())
		return [2]int{len(m[1]), len(m[7])}
	}()
	nameOfAppend = func() [2]int {
		n := 1
		m := map[int][]int{}
		f := func() int { n = 7; return 10 }
		m[n] = append(m[n], f())
		return [2]int{len(m[1]), len(m[7])}
	}()
	boxedLiteral = func() [2]int {
		n := 1
		f := func() int { n = 7; return 10 }
		return anyOf(value{n}, f())
	}()
	boxedSmall = func() [2]int {
		n := 1
		f := func() int { n = 7; return 10 }
		return anyOf(n == 1, f())
	}()
	boxedResult = func() [2]int {
		n := 1
		f := func() int { n = 7; return 10 }
		two := func() (any, int) { return value{n}, f() }
		x, y := two()
		return anyOf(x, y)
	}()
	boxedElement = func() [2]int {
		n := 1
		f := func() int { n = 7; return 10 }
		x := []any{value{n}, f()}
		return anyOf(x[0], x[1].(int))
	}()
	boxedAppended = func() [2]int {
		n := 1
		f := func() int { n = 7; return 10 }
		x := append([]any{}, value{n}, f())
		return anyOf(x[0], x[1].(int))
	}()
	comparedLiteral = func() [2]bool {
		n := 1
		f := func() bool { n = 7; return true }
		return [2]bool{([2]int{n, 2} == [2]int{1, 2}) == f()}
	}()
	boundBeside = func() [2]int {
		n := 0
		all := []int{1, 2, 3, 4}
		f := func() int { n = 1; return 4 }
		x := all[n+1 : f()]
		return [2]int{x[0], len(x)}
	}()
	assertedParameter = func() [2]int {
		return assertedAs[int]()
	}()
)

func assertedAs[T any]() [2]int {
	var i any = 1
	f := func() int { i = 5; return 2 }
	x, y := i.(T), f()
	return anyOf(x, y)
}

func anyOf(x any, n int) [2]int {
	switch x := x.(type) {
	case int:
		return [2]int{x, n}
	case value:
		return [2]int{x.n, n}
	case bool:
		if x {
			return [2]int{1, n}
		}
	}
	return [2]int{0, n}
}

// Open are those variables by their names.
func Open() map[string]any {
	return map[string]any{
		"throughInterface": throughInterface, "throughOther": throughOther, "throughEmbedded": throughEmbedded,
		"smallKey": smallKey, "arrayKey": arrayKey, "literalKey": literalKey,
		"keyOfAppend": keyOfAppend, "nameOfAppend": nameOfAppend, "boxedLiteral": boxedLiteral, "boxedSmall": boxedSmall,
		"boxedResult": boxedResult, "boxedElement": boxedElement, "boxedAppended": boxedAppended,
		"comparedLiteral": comparedLiteral, "boundBeside": boundBeside, "assertedParameter": assertedParameter,
	}
}
