package testcache

import "github.com/qdgen/qd/nvrtc"

// CompileCUDA compiles a text with NVRTC, or finds what it was compiled to in an earlier run.
func CompileCUDA(lib *nvrtc.Library, text, name string, opts nvrtc.Options) (*nvrtc.Result, error) {
	return Value(func() (*nvrtc.Result, error) {
		return lib.Compile(text, name, opts)
	}, append([]string{"nvrtc", lib.Identity(), text, name}, opts.Flags()...)...)
}
