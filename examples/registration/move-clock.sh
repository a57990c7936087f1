#!/bin/sh
# A review takes a day; a development server's clock can be moved: move-clock.sh 25h
# Of `msgd serve --dev` only, and no part of the contract: docs/control.md
set -eu
curl --silent --show-error --fail "${MSGCTL_BASE_URL:-http://127.0.0.1:4800}/control/clock" \
  -H 'Content-Type: application/json' -d "{ \"advance\": \"${1:-25h}\" }"
echo
