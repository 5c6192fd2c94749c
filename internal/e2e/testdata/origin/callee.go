package main

func next(x int32) int32 {
	return x + 1
}
