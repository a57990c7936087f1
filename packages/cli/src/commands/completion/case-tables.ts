/** Shell functions that walk the command line, for bash and zsh. Each export returns the text of one function. */
import { DEMO_PROFILE } from "../../call/access/profiles.ts";
import { type Flag, type FlagValue, type Place, placesWithWords, type Tree, type Word } from "./tree.ts";

/** Sets `at` to the group or command that `word` names below it. Leaves `at` unchanged if `word` names none. */
export function enterFunction({ places }: Tree): string {
  const branches = places
    .filter(({ path }) => path !== "")
    .map(({ path, aliases }) => `    ${[path, ...aliases].map(stepTo).join("|")}) at='${path}' ;;`);
  return ["_msgctl_enter() {", '  case "$at $word" in', ...branches, "  esac", "}"].join("\n");
}

/** Returns the case pattern for `"$at $word"`: the path's last word, preceded by its other words. */
function stepTo(path: string): string {
  return path.includes(" ") ? `'${path}'` : `' ${path}'`;
}

/** Sets `kind` to the kind of value that `flag` takes at `at`, and `offer` to the allowed words. */
export function valueFunction(tree: Tree, offerOf: (words: readonly string[]) => string): string {
  const branch = (pattern: string, takes: FlagValue) => {
    const words = typeof takes === "string" ? [] : "ids" in takes ? [takes.ids] : takes;
    return `    ${pattern}) kind=${kindOf(takes)}${words.length === 0 ? "" : `; ${offerOf(words)}`} ;;`;
  };
  const own = tree.places.flatMap(({ path, flags }) => {
    return flags.filter(takesValue).map(({ names, takes }) => {
      return branch(names.map((name) => `'${path} ${name}'`).join("|"), takes);
    });
  });
  const common = tree.globalFlags.filter(takesValue).map(({ names, takes }) => {
    return branch(names.map((name) => `*' ${name}'`).join("|"), takes);
  });
  return ["_msgctl_value() {", "  kind=''", '  case "$at $flag" in', ...own, ...common, "  esac", "}"].join("\n");
}

/** The name that the scripts use for a kind of value. */
export function kindOf(takes: FlagValue): string {
  return typeof takes === "string" ? takes : "ids" in takes ? "ids" : "words";
}

/** Sets `kind` and `offer` for the next word at `at`. Only the first argument is completed. */
export function wordsFunction(tree: Tree, offerOf: (words: readonly Word[]) => string): string {
  return listFunction("_msgctl_words", placesWithWords(tree), ({ words, first = [] }) => {
    if (typeof first === "string") return `kind=${first}`;
    return `kind=${kindOf(first)}; ${offerOf("ids" in first ? [{ word: first.ids, description: "" }] : words)}`;
  });
}

/**
 * Replaces the field name in `offer` with the ids of that field, from the file that listed-ids.ts writes. Skips lines with
 * characters that no id has, so that a user who can write the file cannot inject shell code.
 */
export function idsFunction({ none, split, forEachLine }: LookupWords): string {
  const findCurrent = `if [[ $line == '  "current": "'* ]]; then line="\${line#*: \\"}"; profile="\${line%%\\"*}"; break; fi`;
  const takeIds = `if [[ $line == "$wanted "* && $line != *[!A-Za-z0-9._:\\ -]* ]]; then ${split}; fi`;
  return `_msgctl_ids() {
  ${CONFIG}
  local line ids="\${LOCALAPPDATA:-$HOME/.cache}" wanted="$offer"
  case \${XDG_CACHE_HOME:-} in /* | [A-Za-z]:[/\\\\]*) ids="$XDG_CACHE_HOME" ;; esac
  ids="$ids/msgctl/ids"
  ${none}
  if [[ -z $profile && -n \${MSGCTL_API_KEY:-} ]]; then profile=environment; fi
  [[ -n $profile ]] || profile="\${MSGCTL_PROFILE:-}"
  if [[ -z $profile && -f $config && -r $config ]]; then
    ${forEachLine("$config", findCurrent)}
  fi
  [[ -n $profile ]] || profile=${DEMO_PROFILE}
  if [[ $profile == *[!A-Za-z0-9._-]* || ! -f $ids/$profile || ! -r $ids/$profile ]]; then return 0; fi
  ${forEachLine("$ids/$profile", takeIds)}
}`;
}

/** Finds config.json in the same folder as config.ts does. */
const CONFIG = `local config="\${APPDATA:-$HOME/.config}"
  case \${XDG_CONFIG_HOME:-} in /* | [A-Za-z]:[/\\\\]*) config="$XDG_CONFIG_HOME" ;; esac
  config="$config/msgctl/config.json"`;

/** Sets `offer` to the names of the profiles in config.json, which is indented by two spaces per level. */
export function profilesFunction({ none, add, forEachLine }: LookupWords): string {
  const takeName = `case "$line" in
      '  "profiles": {') inside=1 ;;
      '  }'*) inside='' ;;
      '    "'*'": {'*)
        name="\${line#*\\"}" name="\${name%%\\"*}"
        if [[ -n $inside && $name != *[!A-Za-z0-9._-]* ]]; then ${add}; fi
        ;;
    esac`;
  return `_msgctl_profiles() {
  ${CONFIG}
  local line name inside=''
  ${none}
  if [[ ! -f $config || ! -r $config ]]; then return 0; fi
  ${forEachLine("$config", takeName)}
}`;
}

export interface LookupWords {
  /** Empties `offer`. */
  none: string;
  /** Sets `offer` to all words of `line` but the first. */
  split: string;
  /** Adds `name` to `offer`. */
  add: string;
  /** Runs `body` for each `line` of a file without starting a process. */
  forEachLine(path: string, body: string): string;
}

/** Returns a shell function that sets `offer` for the current command path, `at`. */
export function listFunction(name: string, places: readonly Place[], offerOf: (place: Place) => string): string {
  const branches = places.map((place) => `    '${place.path}') ${offerOf(place)} ;;`);
  return [`${name}() {`, '  case "$at" in', ...branches, "  esac", "}"].join("\n");
}

export function takesValue({ takes }: Flag): boolean {
  return takes !== "nothing";
}
