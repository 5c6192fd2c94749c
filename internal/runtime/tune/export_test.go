package tune

// For the tests, which import package qd.
var AppendArg = appendArg
