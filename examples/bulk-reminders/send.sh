#!/bin/sh
# Sends a list of reminders with msgctl: send.sh <list.csv> [merchant]
# Killed at any point, the same command resumes; run once more, it sends nothing that was sent before.
set -eu
list=${1:?usage: send.sh <list.csv> [merchant]}
merchant=${2:-demo}
msgctl=${MSGCTL:-npx msgctl}

# The recipients have agreed to reminders: without a consent on record the service refuses the row.
$msgctl consent import "$list" --map Phone=contact --map Message= \
  --set merchantId="$merchant" --set channel=SMS --set status=OPT_IN --set source=intake-form -y -o json --quiet >/dev/null

# All rows are checked before the first is sent; one line of JSON for each.
$msgctl send bulk "$list" --channel SMS --map Phone=to \
  --set merchantId="$merchant" --set type=REMINDER -y --only-new -o jsonl
