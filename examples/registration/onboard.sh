#!/bin/sh
# Registers a merchant for 10DLC from a file, and waits until it may send: onboard.sh <file>
# Ended at any point, the same command goes on with what is left. Ends with 0 where the merchant is ready to send, 8 where
# the review has said no (and tells what to mend in the file), 10 where it has not ended within WAIT_SECONDS.
set -eu
file=${1:?usage: onboard.sh <file>}
msgctl=${MSGCTL:-npx msgctl}

# What would be done, for the log of whoever runs this; nothing is sent.
$msgctl registration apply "$file" --dry-run >&2

merchant=$($msgctl registration apply "$file" -y -o json -q merchantId | tr -d '"')
$msgctl registration wait "$merchant" --wait-timeout "${WAIT_SECONDS:-172800}" -o json \
  -q '{merchantId: merchantId, readyToSend: readyToSend, brand: brands[0].status, campaign: campaigns[0].status, numbers: numbers[].phoneNumber}'
