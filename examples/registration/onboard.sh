#!/bin/sh
# Registers a merchant for 10DLC from a file, and waits until it may send: onboard.sh <file>
# If it is ended at any point, run the same command again: it continues. Exits with 0 if the merchant is ready to send, 8 if
# the review refused it (and prints what to correct in the file), 10 if the review has not ended within WAIT_SECONDS.
set -eu
file=${1:?usage: onboard.sh <file>}
msgctl=${MSGCTL:-npx msgctl}

# Prints the planned changes, and changes nothing.
$msgctl registration apply "$file" --dry-run >&2

merchant=$($msgctl registration apply "$file" -y -o json -q merchantId | tr -d '"')
$msgctl registration wait "$merchant" --wait-timeout "${WAIT_SECONDS:-172800}" -o json \
  -q '{merchantId: merchantId, readyToSend: readyToSend, brand: brands[0].status, campaign: campaigns[0].status, numbers: numbers[].phoneNumber}'
