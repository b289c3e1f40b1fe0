#!/usr/bin/env bash
# A Slurm of its own on this machine, for tests: one node with two processors and four made-up GPUs, two partitions of which the second
# takes the first one's node away, and requeues its jobs.
# usage: cluster.sh start FOLDER | cluster.sh stop FOLDER       (as root; export SLURM_CONF=FOLDER/slurm.conf to use it)
set -euo pipefail

action=$1 folder=$2

stop() {
    for daemon in slurmd slurmctld munged; do
        [ -s "$folder/$daemon.pid" ] || continue
        kill "$(cat "$folder/$daemon.pid")" 2>/dev/null || true
    done
}

start() {
    mkdir -p "$folder"/{state,spool,log,munge}
    # munged asks that nobody else can write to any folder above its socket, and runs as whoever starts it
    chmod 755 "$folder" "$folder"/munge
    dd if=/dev/urandom of="$folder/munge.key" bs=1024 count=1 status=none
    chmod 600 "$folder/munge.key"
    /usr/sbin/munged --force --key-file="$folder/munge.key" --socket="$folder/munge/munge.socket" --pid-file="$folder/munged.pid" \
        --log-file="$folder/log/munged.log" --seed-file="$folder/munge.seed"
    local port=$((20000 + $$ % 20000))
    cat >"$folder/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/munge.socket,cred_expire=10
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.log
SlurmctldPort=$port
SlurmdPort=$((port + 1))
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,sched_min_interval=0,batch_sched_delay=0
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
JobRequeue=1
KillWait=20
ReturnToService=2
MaxArraySize=1001
PropagateResourceLimits=NONE
GresTypes=gpu
NodeName=localhost NodeAddr=127.0.0.1 CPUs=2 Sockets=1 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=4000 Gres=gpu:whole:2,gpu:1g.10gb:2 State=UNKNOWN
PartitionName=low Nodes=localhost Default=YES MaxTime=INFINITE State=UP PriorityTier=1 PreemptMode=REQUEUE GraceTime=0
PartitionName=high Nodes=localhost MaxTime=INFINITE State=UP PriorityTier=10 PreemptMode=OFF
CONF
    cat >"$folder/gres.conf" <<CONF
Name=gpu Type=whole File=/dev/null
Name=gpu Type=whole File=/dev/zero
Name=gpu Type=1g.10gb File=/dev/full
Name=gpu Type=1g.10gb File=/dev/random
CONF
    export SLURM_CONF=$folder/slurm.conf
    /usr/sbin/slurmctld -c
    sleep 2
    /usr/sbin/slurmd -N localhost
    for _ in $(seq 100); do
        [ "$(sinfo -h -p low -o %t 2>/dev/null)" = idle ] && return
        sleep 0.2
    done
    echo "the cluster is not up after 20 s: $(sinfo -h 2>&1 | head -n 2)" >&2
    tail -n 5 "$folder"/log/slurm*.log >&2
    return 1
}

case $action in
    start) start || { stop; exit 1; } ;;
    stop) stop ;;
    *) echo "usage: $0 start FOLDER | stop FOLDER" >&2; exit 2 ;;
esac
