module github.com/qdgen/qd

go 1.26
