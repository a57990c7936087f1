#!/bin/sh
# The same with msgctl: follow.sh <number> ...
# Exits with 0 if everybody was reached, 8 if some calls failed, 10 if the wait timed out before the calls ended.
set -eu
: "${1:?usage: follow.sh <number> ...}"
merchant=${MERCHANT_ID:-demo}
msgctl=${MSGCTL:-npx msgctl}

for number in "$@"; do
  set -- "$@" --to-numbers "$number"
  shift
done
# Prints progress to standard error, and only the final totals to standard output.
$msgctl tts create --merchant-id "$merchant" --use-case REMINDER "$@" \
  --message-text "Hello from Bright Dental. Your visit is tomorrow at 9:30 in the morning." \
  --wait --wait-timeout 120 -y -o json \
  -q '{batchId: batchId, status: status, success: success, failed: failed, totalCost: totalCost}'
