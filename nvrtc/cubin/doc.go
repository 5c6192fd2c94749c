// Package cubin reads what the kernels of a cubin cost: registers, stack, shared and
// constant memory, code, and the instructions that go to local memory, with the source
// lines that they come from. It needs no GPU and none of CUDA's tools: a cubin is an
// ELF file.
//
// NVIDIA documents the format only in part. What is read here, and where it is known
// from:
//
//   - Section names (.text.NAME, .nv.info.NAME, .nv.shared.NAME, .nv.constant0.NAME)
//     and what cuobjdump --dump-elf and --dump-resource-usage print of them: the manual
//     "CUDA Binary Utilities".
//   - The attributes in .nv.info sections (EIATTR_REGCOUNT and others, see info.go): the
//     names that cuobjdump prints, next to the bytes they stand for; the same numbers are
//     in the assembler CuAssembler (CuAsm/CuNVInfo.py) and in gVirtuS.
//   - The two instructions of local memory, LDL and STL (see sass.go): nvdisasm -hex, and
//     from sm_70 on the encoder of Mesa's compiler NAK (sm70_encode.rs).
//   - Lines: DWARF 2 to 4, section 6.2, with NVIDIA's extension for inlined calls, as
//     elfutils reads it (dwarf_getsrclines.c, DW_LNE_NVIDIA_inlined_call).
//
// Cubins of CUDA 11, 12 and 13 are read, whose ELF headers differ: up to ABI 7 the
// architecture is in the low byte of the flags, from ABI 8 on in the one above it. What
// a cubin lacks reads as 0; a damaged one is an error.
package cubin
