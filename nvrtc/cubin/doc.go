// Package cubin reads the cost of the kernels in a cubin: registers, stack, shared and constant
// memory, code, and the instructions that access local memory, with their source lines. It needs no
// GPU and no CUDA tools: a cubin is an ELF file.
//
// NVIDIA documents the format only in part. These are the parts that this package reads, and the
// sources of what it knows about them:
//
//   - Section names (.text.NAME, .nv.info.NAME, .nv.shared.NAME, .nv.constant0.NAME) and what
//     cuobjdump --dump-elf and --dump-resource-usage print of them: the manual "CUDA Binary
//     Utilities".
//   - The attributes in .nv.info sections (EIATTR_REGCOUNT and others, see info.go): cuobjdump
//     prints their names next to their bytes. The same numbers are in the assembler CuAssembler
//     (CuAsm/CuNVInfo.py) and in gVirtuS.
//   - The two instructions of local memory, LDL and STL (see sass.go): nvdisasm -hex, and from
//     sm_70 on the encoder of Mesa's compiler NAK (sm70_encode.rs).
//   - Lines: DWARF 2 to 4, section 6.2, with NVIDIA's extension for inlined calls, as elfutils
//     reads it (dwarf_getsrclines.c, DW_LNE_NVIDIA_inlined_call).
//
// The package reads cubins of CUDA 11, 12 and 13. Their ELF headers differ: up to ABI 7 the
// architecture is in the low byte of the flags, from ABI 8 on in the byte above it. A part that a
// cubin lacks reads as 0; a damaged part is an error.
package cubin
