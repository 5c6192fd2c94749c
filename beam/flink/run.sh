#!/usr/bin/env bash
# Runs an example on a real Flink: a job manager, two task managers, and Beam's job server, each a process of its
# own, from the jars of Maven Central. The kernels run in processes of the Go SDK, which the task managers start (environment PROCESS).
# One of these is killed in the middle, unless KILL=0.
#
#	beam/flink/run.sh [arguments of examples/options]
#
# Everything is below build/flink. Where there is no Java or no Maven, it says so and does nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

FLINK=${FLINK:-1.16}  # the version of Flink that the runner is made for
BEAM=${BEAM:-2.50.0}  # the version of Beam's runner
KILL=${KILL:-1}
PORT=${PORT:-18081}

for tool in java mvn; do
	if ! command -v "$tool" >/dev/null; then
		echo "flink: skipped: there is no $tool" >&2
		exit 0
	fi
done

dir=$PWD/../build/flink
mkdir -p "$dir/conf" "$dir/log" "$dir/tmp" "$dir/staged"
dir=$(cd "$dir" && pwd)
lib=$dir/lib-$FLINK-$BEAM
if [ ! -e "$lib/.complete" ]; then
	mvn -B -q -f flink/pom.xml -Dflink="$FLINK" -Dbeam="$BEAM" dependency:copy-dependencies -DoutputDirectory="$lib" >"$dir/log/maven.log"
	touch "$lib/.complete"
fi

# The program, and the loader that a task manager starts for a worker.
CGO_ENABLED=0 go build -o "$dir/options" ./examples/options
CGO_ENABLED=0 go build -o "$dir/boot" github.com/apache/beam/sdks/v2/go/container
cat >"$dir/worker.sh" <<END
#!/bin/sh
mkdir -p "$dir/staged/\$\$"
cd "$dir/staged/\$\$" # the loader writes a file here
exec "$dir/boot" --semi_persist_dir="$dir/staged/\$\$" "\$@" >>"$dir/log/workers.log" 2>&1
END
chmod +x "$dir/worker.sh"

cat >"$dir/conf/flink-conf.yaml" <<END
jobmanager.rpc.address: localhost
jobmanager.rpc.port: $((PORT + 1))
jobmanager.memory.process.size: 1g
rest.port: $PORT
rest.address: localhost
taskmanager.numberOfTaskSlots: 1
taskmanager.memory.framework.heap.size: 128m
taskmanager.memory.framework.off-heap.size: 128m
taskmanager.memory.jvm-metaspace.size: 256m
taskmanager.memory.jvm-overhead.min: 192m
taskmanager.memory.jvm-overhead.max: 192m
taskmanager.host: localhost
taskmanager.cpu.cores: 1
taskmanager.memory.task.heap.size: 384m
taskmanager.memory.task.off-heap.size: 0
taskmanager.memory.managed.size: 128m
taskmanager.memory.network.min: 64m
taskmanager.memory.network.max: 64m
classloader.resolve-order: parent-first
restart-strategy: fixed-delay
restart-strategy.fixed-delay.attempts: 4
restart-strategy.fixed-delay.delay: 1 s
io.tmp.dirs: $dir/tmp
END

open=()
for p in java.lang java.lang.invoke java.lang.reflect java.io java.net java.nio java.util java.util.concurrent java.util.concurrent.atomic java.text java.time sun.nio.ch; do
	open+=("--add-opens=java.base/$p=ALL-UNNAMED")
done
open+=(--add-exports=java.base/sun.net.util=ALL-UNNAMED --add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED)
started=()
# start runs a class of the jars in the background.
start() {
	local name=$1 heap=$2 class=$3
	shift 3
	java "${open[@]}" "-Xmx$heap" -XX:MaxDirectMemorySize=512m -Djava.io.tmpdir="$dir/tmp" \
		-Dorg.slf4j.simpleLogger.defaultLogLevel=info -cp "$lib/*" "$class" "$@" >"$dir/log/$name.log" 2>&1 &
	started+=($!)
}
stop() {
	kill "${started[@]}" 2>/dev/null || true
	wait "${started[@]}" 2>/dev/null || true
	# Workers wait when their task manager has ended.
	for p in $(pgrep -f "^/tmp/bin[0-9]*/worker .*--semi_persist_dir=$dir/staged" || true); do
		kill "$p" 2>/dev/null || true
	done
	rm -rf "$dir/staged" "$dir/tmp"
}
trap stop EXIT

# waits for something that a log says.
await() {
	for _ in $(seq 600); do
		if grep -q "$2" "$dir/log/$1.log" 2>/dev/null; then return; fi
		for p in "${started[@]}"; do
			kill -0 "$p" 2>/dev/null || break 2
		done
		sleep 0.2
	done
	echo "flink: $1 has not come up; its log is $dir/log/$1.log" >&2
	exit 1
}

: >"$dir/log/workers.log"
start jobmanager 512m org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint --configDir "$dir/conf"
await jobmanager "Rest endpoint listening"
for i in 1 2; do
	start "taskmanager$i" 512m org.apache.flink.runtime.taskexecutor.TaskManagerRunner --configDir "$dir/conf"
done
start jobserver 512m org.apache.beam.runners.flink.FlinkJobServerDriver --flink-master "localhost:$PORT" \
	--job-host localhost --job-port $((PORT + 2)) --artifact-port $((PORT + 3)) --expansion-port 0 --artifacts-dir "$dir/tmp/artifacts"
await taskmanager1 "Successful registration at resource manager"
await taskmanager2 "Successful registration at resource manager"
await jobserver "JobService started"

"$dir/options" -runner universal -endpoint "localhost:$((PORT + 2))" -parallelism 2 -worker_binary "$dir/options" \
	-environment_type PROCESS -environment_config "{\"command\": \"$dir/worker.sh\"}" -o "$dir/table" "$@" >"$dir/log/options.log" 2>&1 &
job=$!
if [ "$KILL" != 0 ]; then
	# The second worker to come up is killed when it computes.
	victim=
	for _ in $(seq 1200); do
		victim=$(pgrep -f "^/tmp/bin[0-9]*/worker .*--semi_persist_dir=$dir/staged" | sed -n 2p || true)
		if [ -n "$victim" ] || ! kill -0 "$job" 2>/dev/null; then break; fi
		sleep 0.1
	done
	sleep "${KILL_AFTER:-2}"
	if [ -n "$victim" ] && kill -KILL "$victim" 2>/dev/null; then
		echo "flink: worker $victim was killed"
	else
		echo "flink: no worker was killed: the pipeline had ended" >&2
	fi
fi
if ! wait "$job"; then
	cat "$dir/log/options.log" >&2
	exit 1
fi
echo "Flink $FLINK, Beam's runner $BEAM, 2 task managers, $(grep -c 'Provision info' "$dir/log/workers.log" || true) worker processes"
grep -o '[0-9]* tasks will be restarted' "$dir/log/jobmanager.log" || true
grep -v ' msg=\|level=' "$dir/log/options.log" || true
