import {
  enterFunction,
  idsFunction,
  type LookupWords,
  listFunction,
  profilesFunction,
  valueFunction,
  wordsFunction,
} from "./case-tables.ts";
import type { Flag, Tree } from "./tree.ts";

/** The script for bash 3.2 and newer. With bash 4.0 and newer, it starts no process, not even a subshell. */
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

${idsFunction(LOOKUP)}

${profilesFunction(LOOKUP)}

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
  if [[ -z $flag ]]; then
    kind='' offer=''
    if [[ $current == -* ]]; then
      kind=words
      _msgctl_flags
      offer="$offer ${names(tree.globalFlags)}"
    elif [[ -z $given ]]; then
      _msgctl_words
    fi
  fi
  case "$kind" in
    words) ;;
    ids) _msgctl_ids ;;
    profile) _msgctl_profiles ;;
    file)
      IFS=$'\\n'
      compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "$current"))
      return 0
      ;;
    *) return 0 ;;
  esac
  for word in $offer; do
    if [[ $word == "$current"* ]]; then COMPREPLY+=("$prefix$word"); fi
  done
}

complete -F _msgctl msgctl
`;
}

const LOOKUP: LookupWords = {
  none: "offer=''",
  split: `offer="\${line#* }"`,
  add: 'offer="$offer $name"',
  forEachLine: (path, body) => `while IFS= read -r line; do ${body}; done < "${path}"`,
};
