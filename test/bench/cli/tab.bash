# Times what a TAB runs in bash: tab.bash <completion script> <times> <line>...
# For each line: what was offered, processes that were started, and the microseconds of each time.
# A line whose first field is "control" tells whether a started process is seen at all.

PATH=''
LC_ALL=C
script=$1 times=$2
shift 2
source "$script"

# Prints nothing and starts nothing: the machine's count of processes ever started, by the kernel.
read_started() {
  local name value
  started=''
  while read -r name value; do
    if [[ $name == processes ]]; then started=$value; break; fi
  done 2>/dev/null < /proc/stat
}

# The least of many tries: others on the machine start processes too, but not at every try.
least_started() {
  local try before
  least=''
  read_started
  [[ -n $started ]] || return 0
  for ((try = 0; try < 50; try++)); do
    read_started; before=$started
    "$@"
    read_started
    if [[ -z $least || $((started - before)) -lt $least ]]; then least=$((started - before)); fi
  done
}

start_one() { (:); }

least_started start_one
printf 'control\t%s\n' "$least"
for line in "$@"; do
  read -ra COMP_WORDS <<< "$line"
  [[ $line == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) taken=()
  for ((time = 0; time < times; time++)); do
    begun=$EPOCHREALTIME
    _msgctl
    ended=$EPOCHREALTIME
    taken+=($((${ended/./} - ${begun/./})))
  done
  offered=${#COMPREPLY[@]}
  least_started _msgctl
  printf '%s\t%s\t%s\t%s\n' "$line" "$offered" "$least" "${taken[*]}"
done
