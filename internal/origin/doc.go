// Package origin finds out whether source that is read while a program runs is what the program was
// built from. A kernel's source is compiled when the kernel is launched; the program around it was
// compiled before. Source that was edited in between must not be used with that binary.
//
// These are the proofs for a file, in the order in which they are tried:
//
//  1. A record in the cache. It was made when this very program (by its build ID) had proven the
//     file. If the file has the same bytes, it is proven, whatever its times are. If it has other
//     bytes, it has changed, whatever its times are.
//  2. Times: nothing has happened to the file since the program was made. The time of the inode's
//     last change counts as well as that of the last write, because the latter can be set. The
//     times of symbolic links and directories on the way to the file count too. The program's file
//     says when it was linked, or copied. The cache of the go command says when the main package
//     was compiled, whatever was copied since. A program that go run, go test or qdgen emit --program
//     started was made from the files that existed when that command began.
//  3. The module cache: the file belongs to a version that the program was built with. The go
//     command has verified the file, and nobody can write to it.
//  4. The commit that is stamped into the program, if the program was built from a clean checkout:
//     git has the file of that commit.
//  5. The go command, if it has built the program lately. Asked to build the program again, it
//     compares the hashes of all source, and does not rebuild a program that is current. It is
//     asked, once in a process, if times are against a file, or if they say too little: the file
//     was saved while the program may have been built, or a directory on the way to it was moved
//     or changed since.
//
// If times say too little and the go command cannot tell, times decide.
//
// If a file of a directory is gone and the program has code from it, the directory is not what the
// program was built from either: the remaining files may mean something else.
package origin
