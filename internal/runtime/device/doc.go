// Package device has the devices: "go", which calls the kernel's own function, "cpu" and "cuda:N". A
// [Backend] makes a specialization of a kernel ready, with the help of packages build and cpu or cuda. It
// runs launches: it packs the arguments, copies the slices of the host, and reports failures as faults.
package device
