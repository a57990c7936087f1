#!/bin/sh
# Backs up msgd's database while the server runs, checks that the backup can be restored, and keeps the newest backups.
#
# MSGD_DATA      the server's data folder
# BACKUPS        folder of the backups, /var/backups/msgd
# BACKUPS_KEPT   how many are kept, 14
# MSGD           the program, msgd
set -eu
umask 077
folder=${BACKUPS:-/var/backups/msgd}
kept=${BACKUPS_KEPT:-14}
msgd=${MSGD:-msgd}
case $kept in '' | *[!0-9]* | 0*)
  echo "BACKUPS_KEPT is $kept: it must be a number of 1 or more." >&2
  exit 2
  ;;
esac

# removes files of runs that were killed a day ago or earlier
find "$folder" -maxdepth 1 -name 'rehearsal.*' -mmin +1440 -exec rm -rf {} +
rehearsal=$(mktemp -d "$folder/rehearsal.XXXXXX")
trap 'rm -rf "$rehearsal"' EXIT
trap 'exit 1' HUP INT TERM

# Shows a command's output only if it fails: it names the temporary copy, which would be misleading.
try() {
  "$@" >"$rehearsal/log" 2>&1 || {
    cat "$rehearsal/log" >&2
    exit 1
  }
}
try $msgd backup "$rehearsal/taken.db"
# Checks the backup: `restore` puts it into an empty folder, and checks all of its data.
try $msgd restore "$rehearsal/taken.db" --data "$rehearsal/data"

# a file with this name is complete; names sort by time
file=$folder/msgd-$(date -u +%Y-%m-%dT%H%M%S).db
mv -n "$rehearsal/taken.db" "$file"
if [ -e "$rehearsal/taken.db" ]; then
  echo "$file exists already: two backups in one second." >&2
  exit 1
fi

# only now remove old backups
ls -1r "$folder" | grep '^msgd-.*\.db$' | tail -n "+$((kept + 1))" | while read -r old; do
  rm -f "$folder/$old"
done
echo "$file"
