package registry

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"io/fs"
	"path"
	"sync"

	"github.com/qdgen/qd/frontend/load"
)

// Standard gives qdgen files of the standard library, of a release of Go, which count where the program was built with
// that and it is not on disk. Of the packages that are there no file is missing, but of those that only
// the host can run. They are a zip archive in base64, which is opened when it is first asked for. Standard is
// called by the file that qdgen gen writes.
func Standard(release, packed string) {
	open := sync.OnceValue(func() fs.FS {
		archive, err := base64.StdEncoding.DecodeString(packed)
		if err != nil {
			panic("qdreg.Standard: " + err.Error())
		}
		files, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			panic("qdreg.Standard: " + err.Error())
		}
		return files
	})
	texts.Lock()
	defer texts.Unlock()
	texts.standard = append(texts.standard, standardTexts{release, func(importPath string) map[string]string {
		var names []string
		for _, pattern := range [...]string{"*.go", "*.s", load.NamesFile} {
			found, err := fs.Glob(open(), path.Join(importPath, pattern))
			if err != nil {
				return nil // that is no import path
			}
			names = append(names, found...)
		}
		all := make(map[string]string, len(names))
		for _, name := range names {
			text, err := fs.ReadFile(open(), name)
			if err != nil {
				panic("qdreg.Standard: " + err.Error())
			}
			all[path.Base(name)] = string(text)
		}
		return all
	}})
}
