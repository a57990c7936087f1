#!/bin/sh
# The same with msgctl: follow.sh <number> ...
# Ends with 0 where everybody was reached, 8 where some calls failed, 10 when the wait ended before the calls did.
set -eu
: "${1:?usage: follow.sh <number> ...}"
merchant=${MERCHANT_ID:-demo}
msgctl=${MSGCTL:-npx msgctl}

for number in "$@"; do
  set -- "$@" --to-numbers "$number"
  shift
done
# Progress goes to standard error; the final totals, and nothing else, to standard output.
$msgctl tts create --merchant-id "$merchant" --use-case REMINDER "$@" \
  --message-text "Hello from Bright Dental. Your visit is tomorrow at 9:30 in the morning." \
  --wait --wait-timeout 120 -y -o json \
  -q '{batchId: batchId, status: status, success: success, failed: failed, totalCost: totalCost}'
