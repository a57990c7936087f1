import {
  enterFunction,
  idsFunction,
  type LookupWords,
  listFunction,
  profilesFunction,
  valueFunction,
  wordsFunction,
} from "./case-tables.ts";
import type { Flag, Tree, Word } from "./tree.ts";

/** The script for zsh 5, to be sourced after compinit or installed as _msgctl in a folder of fpath. */
export function zshScript(tree: Tree): string {
  return `#compdef msgctl
# Completion of msgctl for zsh. In ~/.zshrc, after compinit: source <(msgctl completion zsh)

${enterFunction(tree)}

${valueFunction(tree, (words) => `offer=(${words.join(" ")})`)}

${wordsFunction(tree, (words) => `offer=(${words.map(describedWord).join(" ")})`)}

${listFunction(
  "_msgctl_flags",
  tree.places.filter(({ flags }) => flags.length > 0),
  ({ flags }) => `offer=(${describedFlags(flags)})`,
)}

${idsFunction(LOOKUP)}

${profilesFunction(LOOKUP)}

_msgctl() {
  local IFS=$' \\t\\n' at='' word='' flag='' kind='' profile='' given='' index
  local -a offer
  for ((index = 2; index < CURRENT; index++)); do
    word="\${words[index]}"
    if [[ -n $flag ]]; then
      if [[ $flag == --profile ]]; then profile="$word"; fi
      flag=''
      continue
    fi
    case "$word" in
      --profile=*) profile="\${word#*=}" ;;
      -*=*) ;;
      -*) flag="$word"; _msgctl_value; [[ -n $kind ]] || flag='' ;;
      *) given="$at"; _msgctl_enter; [[ $at == "$given" ]] || given='' ;;
    esac
  done
  word="\${words[CURRENT]}"
  if [[ -z $flag && $word == -*=* ]]; then
    flag="\${word%%=*}"
    _msgctl_value
    compset -P '*='
  fi
  if [[ -n $flag ]]; then
    if [[ $kind == words ]]; then compadd -a offer; else _msgctl_look_up; fi
  elif [[ $word == -* ]]; then
    offer=()
    _msgctl_flags
    offer+=(${describedFlags(tree.globalFlags)})
    _describe -o flag offer
  else
    kind='' offer=()
    [[ -n $given ]] || _msgctl_words
    if [[ $kind == words ]]; then _describe command offer; else _msgctl_look_up; fi
  fi
}

_msgctl_look_up() {
  case "$kind" in
    file) _files ;;
    ids) _msgctl_ids; compadd -a offer ;;
    profile) _msgctl_profiles; compadd -a offer ;;
  esac
}

if [[ \${funcstack[1]} == _msgctl ]]; then _msgctl "$@"; else compdef _msgctl msgctl; fi
`;
}

function describedFlags(flags: readonly Flag[]): string {
  const words = flags.flatMap(({ names, description }) => names.map((word) => ({ word, description })));
  return words.map(describedWord).join(" ");
}

/** Formats a word for _describe: a colon separates it from its description. */
function describedWord({ word, description }: Word): string {
  const said = description === "" ? word : `${word.replaceAll(":", "\\:")}:${description}`;
  return `'${said.replaceAll("'", `'\\''`)}'`;
}

const LOOKUP: LookupWords = {
  none: "offer=()",
  split: `offer=(\${=line#* })`,
  add: "offer+=($name)",
  // zsh's read makes a system call per byte; $(<file) starts no process
  forEachLine: (path, body) => `for line in "\${(@f)$(<${path})}"; do ${body}; done`,
};
