package f32_test

import (
	"errors"
	"os"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/testenv"
)

func TestMain(m *testing.M) {
	testenv.Setup()
	os.Exit(m.Run())
}

// devices are those that this machine has, the one that runs Go first.
func devices(t *testing.T) (list []*qd.Device) {
	t.Helper()
	for _, name := range []string{"go", "cpu", "cuda:0"} {
		dev, err := qd.Open(name)
		var missing *qd.MissingError
		if errors.As(err, &missing) {
			t.Logf("without device %s: %v", name, err)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, dev)
	}
	return list
}
