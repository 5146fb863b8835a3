#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Records what this machine's driver does, for stress/data and docs/driver-memory.md: a full run with
# its series, the cost of each kind of object, and whether compute-sanitizer reports each kind.
#
#   stress/schedule/record.sh CULPRIT_STRESS OUT_FOLDER [OPTIONS FOR THE FULL RUN]
set -u
stress=$(realpath "$1")
out=$2
shift 2
mkdir -p "$out"

"$stress" --all --details --output "$out/run.json" --plot "$out/run.html" \
  --costs "$out/object_cost.json" "$@" | tee "$out/table.txt"
code=${PIPESTATUS[0]}

# The tool must say so when nothing was done: a leak check without a single object proves nothing.
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
if [ -z "$sanitizer" ]; then
  echo "compute-sanitizer is not installed: its column stays empty" | tee "$out/sanitizer.txt"
  exit "$code"
fi
export stress sanitizer out
one() {
  log=$out/sanitizer-$1-$2.log
  timeout 100 "$sanitizer" --tool memcheck --leak-check full "$stress" "$1" --bare --cycles 10 \
    ${3:-} >"$log" 2>&1
  rc=$?
  # The last one: a probe's peer process can print its own before.
  errors=$(grep -o 'ERROR SUMMARY: [0-9]* error' "$log" | grep -o '[0-9]*' | tail -n 1)
  leaked=$(grep -o 'LEAK SUMMARY: [0-9]* bytes leaked in [0-9]* allocations' "$log" | tail -n 1)
  echo "$1 $2 rc=$rc errors=${errors:-none} ${leaked:-no leak summary}"
}
export -f one
"$sanitizer" --version | tail -n 1 >"$out/sanitizer.txt"
for probe in $("$stress" --list | cut -d ' ' -f 1); do
  echo "$probe leaking --leak"
  echo "$probe clean"
done | xargs -P 8 -L 1 bash -c 'one "$@"' one | sort | tee -a "$out/sanitizer.txt"
exit "$code"
