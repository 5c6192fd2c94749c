package remote

import (
	"errors"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/qdgen/qd/cache"
)

// What lies under /ac/ is an ActionResult of Bazel's remote execution API: servers check that it is
// one, and that they have the files that it names. So a server that removes what was unused longest
// never keeps an entry without its files. What qdgen says about the files is the standard output of
// the action.

// Numbers of fields in build/bazel/remote/execution/v2/remote_execution.proto.
const (
	actionFiles  protowire.Number = 2 // ActionResult.output_files
	actionStdout protowire.Number = 5 // ActionResult.stdout_raw
	filePath     protowire.Number = 1 // OutputFile.path
	fileDigest   protowire.Number = 2 // OutputFile.digest
	digestHash   protowire.Number = 1 // Digest.hash
	digestSize   protowire.Number = 2 // Digest.size_bytes
)

// A fileRef names the content of a file. A small file is in it, which spares a request.
type fileRef struct {
	Name   string    `json:"name"`
	Size   int64     `json:"size"`
	SHA256 cache.Key `json:"sha256"`
	Data   []byte    `json:"data,omitempty"`
}

// maxInside is the size up to which a file is in the document: kept sources are, artifacts are not.
const maxInside = 8 << 10

// stored reports whether the file is an entry of its own, under /cas/.
func (f *fileRef) stored() bool { return f.Size > maxInside }

// action encodes a document and the files that it is about.
func action(document []byte, files []fileRef) []byte {
	var out []byte
	for _, f := range files {
		if !f.stored() {
			continue
		}
		digest := appendBytes(nil, digestHash, []byte(f.SHA256.String()))
		digest = protowire.AppendTag(digest, digestSize, protowire.VarintType)
		digest = protowire.AppendVarint(digest, uint64(f.Size))
		file := appendBytes(nil, filePath, []byte(f.Name))
		out = appendBytes(out, actionFiles, appendBytes(file, fileDigest, digest))
	}
	return appendBytes(out, actionStdout, document)
}

func appendBytes(b []byte, field protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), value)
}

// parseAction gives the document of an encoded action. The files are in the document too.
func parseAction(data []byte) (document []byte, err error) {
	for len(data) > 0 {
		field, kind, n := protowire.ConsumeTag(data)
		if n < 0 {
			return nil, errAction
		}
		data = data[n:]
		n = protowire.ConsumeFieldValue(field, kind, data)
		if n < 0 {
			return nil, errAction
		}
		if field == actionStdout && kind == protowire.BytesType {
			document, _ = protowire.ConsumeBytes(data)
		}
		data = data[n:]
	}
	if document == nil {
		return nil, errAction
	}
	return document, nil
}

var errAction = errors.New("it is not an action result of qdgen's")
