// Package matrices tests the numerical methods of matrices, of packages f32 and f64 and of types that
// qdgen writes into other packages: against the bounds that their documentation states, against
// gonum, and on device "cpu" against device "go".
package matrices
