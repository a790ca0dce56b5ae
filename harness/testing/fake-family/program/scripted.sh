#!/bin/sh
# Usage: scripted.sh ROUNDS FIGURES. Speaks the worker protocol within a few milliseconds. Its figures follow
# from the ID of the job, so runs of the same seed have the same figures. With the FIGURES `scripted-with-loop`
# a neighbour doubles the time of two of the three batches and of the readings of the reference loop after them.
slowness=$((($1 - 1) * 10))
read -r job

# Sets value to the first member of that name. In a job the members wanted here come first.
member() {
  rest=${job#*\"$1\":}
  rest=${rest#\"}
  value=${rest%%[,\"\}]*}
}

member formatVersion
format=$value
member id
id=$value
member kind
kind=$value
digest=sha256:0000000000000000000000000000000000000000000000000000000000000000
head="{\"formatVersion\":$format,\"jobId\":\"$id\",\"kind\":\"$kind\""
head="$head,\"runtime\":{\"name\":\"sh\",\"version\":\"1\",\"flags\":[]}"
if [ "$kind" = allocation ]; then
  echo "$head,\"result\":{\"kind\":\"allocation\",\"windowHeapBytes\":[$((1000 + slowness * 30))],
\"offHeapBytes\":0,\"documentsPerWindow\":1,\"collectedWindows\":0,\"bridged\":false}}"
  exit
fi
head="$head,\"outputDigest\":\"$digest\""
if [ "$kind" = output ]; then
  echo "$head}"
  exit
fi

# The ID is CELL/BLOCK/POSITION/ARM. A number with leading zeros would be octal.
place=${id#*/}
block=$((1${place%%/*} - 1000))
place=${place#*/}
mixed=$(((block * 7919 + ${place%%/*} * 104729 + ${#id}) * 1103515245 % 2147483648))
noise=$((mixed / 65536 % 2001 - 1000))
case $id in
  apart*) per_mille=$((slowness * 20 + noise / 100)) ;;
  alike*) per_mille=$((noise / 100)) ;;
  *) per_mille=$((noise / 4)) ;;
esac
ns=$((100000 + per_mille * 100))
batches="[$ns,$((ns + 1)),$ns]"
loop=
if [ "$2" = scripted-with-loop ]; then
  batches="[$ns,$((ns * 2)),$((ns * 2))]"
  loop='"referenceLoopNs":[60000,60000,120000,120000],'
fi
echo "$head,\"measurement\":{\"batchNsPerDocument\":$batches,$loop\"documentsPerBatch\":1,
\"warmUp\":{\"ms\":1,\"calls\":1,\"settled\":true},\"cpuUserMs\":1,\"cpuSystemMs\":0,\"wallMs\":1,
\"gcCount\":0,\"gcMs\":0,\"voluntaryContextSwitches\":0,\"involuntaryContextSwitches\":0,
\"autogroupRaised\":false}}"
