// Package reread reads files and directories that have been read before. Where the system says that one has not changed
// since, what was read then is given again.
//
// Each kernel is compared with its source when it is first launched, and a package may have hundreds of files, and of
// kernels.
package reread
