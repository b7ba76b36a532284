#!/usr/bin/env bash
# A SLURM of one node on this machine, for test_slurm.py (Debian's packages, as root): `slurm.sh start`, `slurm.sh stop`.
set -euo pipefail
here=/tmp/podium-slurm
export SLURM_CONF=$here/slurm.conf

stop() {
  for daemon in slurmd slurmctld munged; do
    if [ -f "$here/$daemon.pid" ]; then kill "$(cat "$here/$daemon.pid")" 2>/dev/null || true; fi
  done
  sleep 1
  rm -rf "$here"
}

start() {
  command -v slurmctld >/dev/null && command -v munged >/dev/null ||
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends slurm-wlm munge; }
  mkdir -p "$here"/{state,spool}
  chmod 755 "$here"
  dd if=/dev/urandom of="$here/munge.key" bs=1024 count=1 status=none
  chmod 400 "$here/munge.key"
  munged --key-file="$here/munge.key" --socket="$here/munge.socket" --pid-file="$here/munged.pid" \
    --log-file="$here/munged.log" --seed-file="$here/munge.seed" --force
  cat >"$SLURM_CONF" <<CONF
ClusterName=podium
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
AuthInfo=socket=$here/munge.socket
StateSaveLocation=$here/state
SlurmdSpoolDir=$here/spool
SlurmctldPidFile=$here/slurmctld.pid
SlurmdPidFile=$here/slurmd.pid
SlurmctldLogFile=$here/slurmctld.log
SlurmdLogFile=$here/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$(($(getconf _PHYS_PAGES) * $(getconf PAGESIZE) / 1048576)) State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
  slurmctld
  slurmd
  for _ in $(seq 30); do sinfo -h -t idle | grep -q . && return; sleep 1; done
  echo "slurm.sh: the node did not become idle; see $here/*.log" >&2
  exit 1
}

"$1"
