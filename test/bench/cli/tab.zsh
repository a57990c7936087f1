# Times the completion that TAB runs in zsh, and writes the same lines as tab.bash to $TAB_OUTPUT. It is the .zshrc of an
# interactive shell, because completion runs only in zsh's line editor. It does everything at the first prompt, and exits.

zmodload zsh/datetime
autoload -Uz compinit
compinit -D -u
source $TAB_SCRIPT
exec {told}>$TAB_OUTPUT
PATH=''

read_started() {
  local name value
  started=''
  while read -r name value; do
    if [[ $name == processes ]]; then started=$value; break; fi
  done < /proc/stat
}

least_started() {
  local try before
  least=''
  [[ -r /proc/stat ]] || return 0
  for ((try = 0; try < 50; try++)); do
    read_started; before=$started
    "$@"
    read_started
    if [[ -z $least || $((started - before)) -lt $least ]]; then least=$((started - before)); fi
  done
}

start_one() { (:) }

complete_once() {
  local begun=$EPOCHREALTIME
  _main_complete
  local ended=$EPOCHREALTIME
  offered=$compstate[nmatches]
  # keeps zsh from listing the matches
  compstate[list]=''
  micros=$(( int(rint((ended - begun) * 1000000)) ))
}
zmodload zsh/mathfunc
zle -C complete-once list-choices complete_once
complete_line() { BUFFER=$line CURSOR=$#line; zle complete-once }

zle-line-init() {
  local line
  least_started start_one
  print -ru $told -- $'control\t'$least
  for line in "${(@f)TAB_LINES}"; do
    local -a taken=()
    repeat $TAB_TIMES; do complete_line; taken+=($micros); done
    least_started complete_line
    print -ru $told -- $line$'\t'$offered$'\t'$least$'\t'"$taken"
  done
  exit
}
zle -N zle-line-init
