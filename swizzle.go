package qd

// isSwizzle reports whether the letters are four that name elements of a vector of n.
func isSwizzle(letters string, n byte) bool {
	return len(letters) == 4 && namesElement(letters[0], n) && namesElement(letters[1], n) &&
		namesElement(letters[2], n) && namesElement(letters[3], n)
}

// namesElement reports whether a letter is one of the first n of X, Y, Z and W: its distance from X,
// modulo 4, is the index.
func namesElement(letter, n byte) bool {
	return letter >= 'W' && letter <= 'Z' && (letter-'X')&3 < n
}
