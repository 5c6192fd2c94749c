package launch

// CheckArg is for the tests, which are of another package since they have values of package qd.
var CheckArg = checkArg
