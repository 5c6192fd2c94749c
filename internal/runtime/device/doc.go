// Package device has the devices: "go", which calls the kernel's own function, "cpu" and "cuda:N". A [Backend]
// makes a specialization of a kernel ready, which packages build and cpu or cuda do for it, and runs launches of
// it, with the arguments packed, the slices of the host copied, and what goes wrong told as a fault.
package device
