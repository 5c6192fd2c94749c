// Package listed is source on disk in the places that the go command has listed: what
// qdgen compiles, and writes generated files for.
package listed
