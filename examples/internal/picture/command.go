package picture

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"

	"github.com/qdgen/qd"
)

// Int defines a flag whose value is an integer from low to high.
func Int(name string, value, low, high int, usage string) *int {
	return define(name, value, low, high, "int", usage, strconv.Atoi)
}

// Float defines a flag whose value is a number from low to high.
func Float(name string, value, low, high float64, usage string) *float64 {
	return define(name, value, low, high, "float", usage, func(s string) (float64, error) {
		return strconv.ParseFloat(s, 64)
	})
}

func define[T int | float64](name string, value, low, high T, kind, usage string, parse func(string) (T, error)) *T {
	n := &number[T]{value, low, high, parse}
	// The quoted word is what -h shows for the value.
	flag.Var(n, name, fmt.Sprintf("%s (`%s` from %v to %v)", usage, kind, low, high))
	return &n.value
}

// A number is the [flag.Value] of a number in a range.
type number[T cmp.Ordered] struct {
	value, low, high T
	parse            func(string) (T, error)
}

func (n *number[T]) String() string { return fmt.Sprint(n.value) }

// Set implements flag.Value. Package flag puts the flag's name before the error, and
// ends the program with the usage and status 2.
func (n *number[T]) Set(s string) error {
	v, err := n.parse(s)
	if err != nil {
		return errors.New("it is not a number of this kind")
	}
	if !(n.low <= v && v <= n.high) { // NaN is in no range
		return fmt.Errorf("it must be from %v to %v", n.low, n.high)
	}
	n.value = v
	return nil
}

// Device parses the command line, with at most maxArgs arguments after the flags, and
// opens the device that the flag -device names, "" for the best there is. It says
// which one it is.
func Device(maxArgs int) *qd.Device {
	name := flag.String("device", "", `where to run: "go", "cpu", "cuda:0"; "" is the best there is`)
	flag.Parse()
	if flag.NArg() > maxArgs {
		fmt.Fprintf(os.Stderr, "unexpected argument %q; flags go before arguments\n", flag.Arg(maxArgs))
		flag.Usage()
		os.Exit(2)
	}
	dev, err := qd.Open(*name)
	Check(err)
	fmt.Printf("running on %v: %s\n", dev, dev.Description())
	if dev.String() == "go" && *name == "" && os.Getenv("QD_DEVICE") == "" {
		fmt.Println("(no C++ compiler and no GPU was found; \"go run ./cmd/qdgen doctor\" says how to get one)")
	}
	return dev
}

// Check ends the program if any of the errors is not nil.
func Check(errs ...error) {
	if err := errors.Join(errs...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
