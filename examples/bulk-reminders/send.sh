#!/bin/sh
# Sends a list of reminders with msgctl: send.sh <list.csv> [merchant]
# If it is killed at any point, run the same command again: it continues, and sends nothing twice.
set -eu
list=${1:?usage: send.sh <list.csv> [merchant]}
merchant=${2:-demo}
msgctl=${MSGCTL:-npx msgctl}

# The recipients have agreed to reminders: without a consent on record the service refuses the row.
$msgctl consent import "$list" --map Phone=contact --map Message= \
  --set merchantId="$merchant" --set channel=SMS --set status=OPT_IN --set source=intake-form -y -o json --quiet >/dev/null

# Checks all rows before it sends the first, and prints a line of JSON for each.
$msgctl send bulk "$list" --channel SMS --map Phone=to \
  --set merchantId="$merchant" --set type=REMINDER -y --only-new -o jsonl
