package nvrtc

import (
	"os"
	"os/exec"
	"path/filepath"
)

// A place is where NVRTC or a program of CUDA may be: patterns of directories, and a
// description for messages.
type place struct {
	what string
	dirs []string
}

// systemDirs are the patterns of the directories that CUDA toolkits are installed
// in, systemPrefixes those of Python installations. They are variables for tests.
var (
	systemDirs = []string{
		"/usr/local/cuda", "/usr/local/cuda-*",
		"/opt/cuda", "/opt/cuda-*",
		"/opt/nvidia/hpc_sdk/Linux_*/*/cuda/*",
	}
	systemPrefixes = []string{"/usr/local", "/usr", "/opt/conda"}
)

// A kept says in which directories a thing is kept, below the root of what it comes with.
type kept struct {
	tools    string // the directory of QD_TOOLS that is laid out as Python packages are
	toolkit  func(root string) []string
	packages func(packages string) []string // of Python packages
	conda    string                         // the directory of an environment
}

var (
	libraries = kept{tools: "nvrtc", toolkit: toolkitDirs, packages: packageDirs, conda: "lib"}
	programs  = kept{tools: disassembler, toolkit: func(root string) []string { return []string{filepath.Join(root, "bin")} }, packages: packagePrograms, conda: "bin"}
)

// places returns where to look, in order; first are directories that go before all but QD_TOOLS.
func (k kept) places(first ...place) []place {
	var list []place
	if dir := os.Getenv("QD_TOOLS"); dir != "" {
		list = append(list, place{"QD_TOOLS", k.packages(filepath.Join(dir, k.tools))})
	}
	list = append(list, first...)
	for _, t := range toolkits() {
		list = append(list, place{t.what, k.toolkit(t.dirs[0])})
	}
	for _, root := range packageRoots() {
		list = append(list, place{"Python packages", k.packages(root)})
	}
	if dir := os.Getenv("CONDA_PREFIX"); dir != "" {
		list = append(list, place{"CONDA_PREFIX", []string{filepath.Join(dir, k.conda)}})
	}
	return list
}

// libraryPlaces returns where to look for NVRTC, in order.
func libraryPlaces() []place {
	var first []place
	if dirs := filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")); len(dirs) > 0 {
		first = append(first, place{"LD_LIBRARY_PATH", dirs})
	}
	return libraries.places(first...)
}

// packagePrograms returns the directories that Python packages put CUDA's programs in:
// NVIDIA's own, and that of Triton.
func packagePrograms(root string) []string {
	return []string{filepath.Join(root, "nvidia", "cu*", "bin"), filepath.Join(root, "triton", "backends", "nvidia", "bin")}
}

// toolkits returns where CUDA toolkits are, in order, each as a pattern of its root.
func toolkits() []place {
	var list []place
	for _, name := range []string{"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"} {
		if dir := os.Getenv(name); dir != "" {
			list = append(list, place{name, []string{dir}})
		}
	}
	if nvcc, err := exec.LookPath("nvcc"); err == nil {
		if nvcc, err = filepath.EvalSymlinks(nvcc); err == nil {
			list = append(list, place{"the toolkit of nvcc in PATH", []string{filepath.Dir(filepath.Dir(nvcc))}})
		}
	}
	for _, dir := range systemDirs {
		list = append(list, place{"CUDA toolkits", []string{dir}})
	}
	return list
}

// toolkitDirs returns the directories of libraries in a CUDA toolkit.
func toolkitDirs(toolkit string) []string {
	return []string{
		filepath.Join(toolkit, "lib64"),
		filepath.Join(toolkit, "lib"),
		filepath.Join(toolkit, "targets", "*-linux", "lib"),
	}
}

// packageDirs returns the directories that the Python packages of NVRTC put the
// library in: nvidia/cuda_nvrtc/lib up to CUDA 12, nvidia/cu13/lib from 13 on.
func packageDirs(root string) []string {
	return []string{filepath.Join(root, "nvidia", "cu*", "lib")}
}

// packageRoots returns the directories of Python packages, of all versions of Python. The names
// that have only a few forms are spelled out: a pattern for them would have the whole of
// Python's library read.
func packageRoots() []string {
	var list []string
	for _, prefix := range pythonPrefixes() {
		for _, lib := range []string{"lib", "lib64"} {
			pythons, _ := filepath.Glob(filepath.Join(prefix, lib, "python3*")) // fails for a bad pattern only
			for _, python := range pythons {
				list = append(list, filepath.Join(python, "site-packages"), filepath.Join(python, "dist-packages"))
			}
		}
	}
	return list
}

// pythonPrefixes guesses where Python is installed, without starting it: that
// alone would take longer than a launch from the cache may.
func pythonPrefixes() []string {
	var list []string
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if dir := os.Getenv(name); dir != "" {
			list = append(list, dir)
		}
	}
	for _, name := range []string{"python3", "python"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		// In a virtual environment the program is a link to the installation's.
		list = append(list, filepath.Dir(filepath.Dir(path)))
		if real, err := filepath.EvalSymlinks(path); err == nil && real != path {
			list = append(list, filepath.Dir(filepath.Dir(real)))
		}
	}
	pyenv := os.Getenv("PYENV_ROOT")
	if home, err := os.UserHomeDir(); err == nil {
		list = append(list, filepath.Join(home, ".local"))
		for _, dir := range []string{"miniconda3", "anaconda3", "miniforge3", ".local/share/uv/python/*"} {
			list = append(list, filepath.Join(home, dir))
		}
		if pyenv == "" {
			pyenv = filepath.Join(home, ".pyenv")
		}
	}
	if pyenv != "" {
		list = append(list, filepath.Join(pyenv, "versions", "*"))
	}
	return append(list, systemPrefixes...)
}
