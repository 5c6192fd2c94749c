// Package remote lets programs use a cache of compiled modules that several machines share. It speaks
// Bazel's HTTP cache protocol, as bazel-remote, nginx and object stores do: GET and PUT of
// /ac/SHA256 and /cas/SHA256.
//
// A program uses it if it imports this package, or is built with -tags qdremote, and if QD_CACHE_REMOTE is
// set:
//
//	import _ "github.com/qdgen/qd/cache/remote"
//
// Otherwise a program contains no code for the network. docs/cache.md shows how to set up a cache.
//
// What a launch needs is looked for in the local cache first, then in the remote one, and else
// compiled. What was compiled is uploaded while the program goes on. The times that qd.Tune has
// measured travel too.
//
// # Settings
//
//	QD_CACHE_REMOTE       the address: https://HOST/PATH. "off" or nothing uses no remote
//	                      cache. http:// is for the same machine, and for signed entries.
//	QD_CACHE_REMOTE_MODE  "read" uploads nothing; "read-write" is the default.
//	QD_CACHE_REMOTE_WAIT  for how long a process waits in vain, in all. Default 200ms.
//	QD_CACHE_TOKEN        a bearer token. Without it, the name and password in the address
//	                      count, and then those that .netrc (or the file that NETRC names)
//	                      has for the host.
//	QD_CACHE_KEY          ed25519 keys in PEM, or the name of a file of them. Then only
//	                      entries are loaded that were signed with one of these keys. A
//	                      private key signs what is uploaded; without one nothing is.
//
// Certificates are those that Go programs trust: SSL_CERT_FILE and SSL_CERT_DIR name others. HTTPS_PROXY
// and NO_PROXY count.
//
// # Guarantees
//
//   - Everything that is downloaded is compared with its size and SHA-256, and is stored in the local
//     cache before it is loaded, which compares again. The digests are in the entry that names the
//     files, and that entry says under which key it belongs.
//   - Where QD_CACHE_KEY is set, the signature covers the key of an entry and the digests of all
//     that is in it. What was downloaded without a good signature before is removed, not loaded.
//   - A process waits at most 200 ms for a remote that gives it nothing, however many kernels it has. Each
//     hit sets this time back. After a failure the process does not ask again: one warning says why.
//   - A file is uploaded before the entry that names it.
//   - An upload never holds a program up. What is not uploaded when a program ends is uploaded by the
//     next program on the machine, or by qdgen cache push, or is waited for by [Flush].
//
// Without QD_CACHE_KEY whoever can write to the remote cache can have code run by all who read from
// it.
package remote
