import { enterFunction, listFunction, valueFunction } from "./case-tables.ts";
import type { Flag, Tree, Word } from "./tree.ts";

/** The script for zsh 5, to be sourced after compinit or to lie as _msgctl in a folder of fpath. */
export function zshScript(tree: Tree): string {
  return `#compdef msgctl
# Completion of msgctl for zsh. In ~/.zshrc, after compinit: source <(msgctl completion zsh)

${enterFunction(tree)}

${valueFunction(tree, (words) => `offer=(${words.join(" ")})`)}

${listFunction(
  "_msgctl_words",
  tree.places.filter(({ words }) => words.length > 0),
  ({ words }) => `offer=(${words.map(describedWord).join(" ")})`,
)}

${listFunction(
  "_msgctl_flags",
  tree.places.filter(({ flags }) => flags.length > 0),
  ({ flags }) => `offer=(${describedFlags(flags)})`,
)}

_msgctl() {
  local at='' word='' flag='' kind='' index
  local -a offer
  for ((index = 2; index < CURRENT; index++)); do
    word="\${words[index]}"
    if [[ -n $flag ]]; then flag=''; continue; fi
    case "$word" in
      -*=*) ;;
      -*) flag="$word"; _msgctl_value; [[ -n $kind ]] || flag='' ;;
      *) _msgctl_enter ;;
    esac
  done
  word="\${words[CURRENT]}"
  if [[ -z $flag && $word == -*=* ]]; then
    flag="\${word%%=*}"
    _msgctl_value
    compset -P '*='
  fi
  if [[ -n $flag ]]; then
    case "$kind" in
      file) _files ;;
      words) compadd -a offer ;;
    esac
  elif [[ $word == -* ]]; then
    _msgctl_flags
    offer+=(${describedFlags(tree.globalFlags)})
    _describe -o flag offer
  else
    _msgctl_words
    _describe command offer
  fi
}

if [[ \${funcstack[1]} == _msgctl ]]; then _msgctl "$@"; else compdef _msgctl msgctl; fi
`;
}

function describedFlags(flags: readonly Flag[]): string {
  const words = flags.flatMap(({ names, description }) => names.map((word) => ({ word, description })));
  return words.map(describedWord).join(" ");
}

/** As _describe takes it: a colon parts the word from what is said of it. */
function describedWord({ word, description }: Word): string {
  const said = description === "" ? word : `${word.replaceAll(":", "\\:")}:${description}`;
  return `'${said.replaceAll("'", `'\\''`)}'`;
}
