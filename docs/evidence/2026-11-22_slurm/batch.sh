#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=2 --cpus-per-task=1
#SBATCH --time=2
#SBATCH --signal=USR2@60        # three minutes before the end: checkpoint, then exit code 4
export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK OMP_PROC_BIND=close OMP_PLACES=cores
restart=()
[ -d out/heat/checkpoints ] && restart=(--restart)
srun --mpi=pmix --cpus-per-task="$SLURM_CPUS_PER_TASK" --cpu-bind=cores \
  build/release/bin/pde inputs/pde/heat.yaml "${restart[@]}"
code=$?
if [ $code -eq 4 ]; then sbatch "$0"; fi   # stopped early: the next job goes on
exit $code
