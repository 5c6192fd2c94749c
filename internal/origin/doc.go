// Package origin tells whether source that is read while a program runs is what the program
// was built from. A kernel's text is compiled when the kernel is launched; the program
// around it was compiled before. Text that was edited in between must not meet that binary.
//
// What proves a file, in the order in which it is asked for:
//
//  1. A record in the cache, made when this very program (by its build ID) found the file
//     proven: the file has the same bytes, whatever its times are. Where it has others it
//     has changed, whatever its times are.
//  2. Times: nothing has happened to the file since the program was made. The time of
//     the inode's last change counts as well as that of the last write, for the latter can
//     be set; so does that of symbolic links and directories on the way to the file. The program's file
//     says when it was linked, or copied. The cache of the go command says when the main
//     package was compiled, whatever was copied since. A program that go run or go test
//     has started was made of what there was when these began.
//  3. The module cache: a file of a version that the program was built with, which the go
//     command has verified and nobody can write to.
//  4. The commit that is stamped into the program, where that was built from a clean
//     checkout: git has the file of that commit.
//  5. The go command, if it has built the program lately: asked to build it again, it compares the hashes of
//     all source, and leaves a program as it is that is current. It is asked, once in a process, where times speak
//     against a file, and where they say too little: the file was saved while the program may have been
//     built, or a directory on the way to it was moved or changed since.
//
// Where times say too little and the go command cannot tell, times decide.
//
// A directory of which the program has code from a file that is gone is not what the
// program was built from either: what is left may mean something else.
package origin
