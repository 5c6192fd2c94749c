//go:build qdremote

package qd

// Programs built with -tags qdremote use the cache that QD_CACHE_REMOTE names, as those do that
// import this package themselves.
import _ "github.com/qdgen/qd/cache/remote"
