package main

import "github.com/qdgen/qd"

//qd:kernel
func inTest(t qd.Thread, c chan int) {} // want `parameter c has type chan int: channels are not supported`
