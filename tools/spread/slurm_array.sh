#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One part of a certification in a Slurm job array; the size of the array is the number of parts.
#
#   job=$(sbatch --parsable --array=1-8 slurm_array.sh libmine.so reports [option of certify...])
#   sbatch --dependency=afterany:$job --wrap 'culprit merge reports/part-* --report reports/whole'
#
#SBATCH --job-name=culprit
#SBATCH --cpus-per-task=2
set -euo pipefail
port=$1
reports=$2
shift 2
part=$SLURM_ARRAY_TASK_ID
status=0
culprit certify "$port" --shard "$part/$SLURM_ARRAY_TASK_COUNT" --jobs "${SLURM_CPUS_PER_TASK:-1}" \
  --report "$reports/part-$part" "$@" || status=$?
# Cases that fail are no failed task: the verdict is that of the merge.
((status <= 1))
