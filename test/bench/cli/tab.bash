# Times the completion that TAB runs in bash: tab.bash <completion script> <times> <line>...
# Prints for each line the number of words offered, the number of processes started, and the microseconds of each run.
# The first line, "control", shows whether the count of started processes works.

PATH=''
LC_ALL=C
script=$1 times=$2
shift 2
source "$script"

# Reads the kernel's count of all processes ever started, without starting one.
read_started() {
  local name value
  started=''
  while read -r name value; do
    if [[ $name == processes ]]; then started=$value; break; fi
  done 2>/dev/null < /proc/stat
}

# The minimum of many tries, because other programs on the machine start processes too, but not during every try.
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
