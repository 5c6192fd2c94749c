// A module for the fake driver with a kernel whose blocks need more memory than a kernel can declare, and one that needs little.

extern "C" {
unsigned char qd_block_memory_large[60000];
void large_host(const void *, unsigned, unsigned) {}
void small_host(const void *, unsigned, unsigned) {}
}
