import { enterFunction, idsFunction, listFunction, valueFunction, wordsFunction } from "./case-tables.ts";
import type { Flag, Tree } from "./tree.ts";

/** The script for bash 3.2 and newer: starts no process, not even a subshell, if the shell has compopt (4.0). */
export function bashScript(tree: Tree): string {
  const names = (flags: readonly Flag[]) => flags.flatMap((flag) => flag.names).join(" ");
  const offer = (words: readonly string[]) => `offer='${words.join(" ")}'`;
  return `# Completion of msgctl for bash. In ~/.bashrc: source <(msgctl completion bash)

${enterFunction(tree)}

${valueFunction(tree, offer)}

${wordsFunction(tree, (words) => offer(words.map(({ word }) => word)))}

${listFunction(
  "_msgctl_flags",
  tree.places.filter(({ flags }) => flags.length > 0),
  ({ flags }) => `offer='${names(flags)}'`,
)}

${idsFunction({
  none: "offer=''",
  split: `offer="\${line#* }"`,
  forEachLine: (path, body) => `while IFS= read -r line; do ${body}; done < "${path}"`,
})}

_msgctl() {
  local IFS=$' \\t\\n' at='' word='' flag='' kind='' offer='' prefix='' profile='' given='' index
  local current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    if [[ -n $flag ]]; then
      # --type=OTP comes as three words
      [[ $word == '=' ]] && continue
      if [[ $flag == --profile ]]; then profile="$word"; fi
      flag=''
      continue
    fi
    case "$word" in
      -*=*) ;;
      -*) flag="$word"; _msgctl_value; [[ -n $kind ]] || flag='' ;;
      *) given="$at"; _msgctl_enter; [[ $at == "$given" ]] || given='' ;;
    esac
  done
  if [[ -n $flag && $current == '=' ]]; then
    current=''
  elif [[ -z $flag && $current == -*=* ]]; then
    flag="\${current%%=*}" prefix="\${current%%=*}=" current="\${current#*=}"
    _msgctl_value
  fi
  if [[ -n $flag ]]; then
    if [[ $kind == file ]]; then
      IFS=$'\\n'
      compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "$current"))
    fi
    [[ $kind == words || $kind == ids ]] || return 0
  else
    kind='' offer=''
    if [[ $current == -* ]]; then
      _msgctl_flags
      offer="$offer ${names(tree.globalFlags)}"
    else
      _msgctl_words
    fi
  fi
  if [[ $kind == ids ]]; then _msgctl_ids; fi
  for word in $offer; do
    if [[ $word == "$current"* ]]; then COMPREPLY+=("$prefix$word"); fi
  done
}

complete -F _msgctl msgctl
`;
}
