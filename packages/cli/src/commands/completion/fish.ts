import { DEMO_PROFILE } from "../../call/access/profiles.ts";
import { kindOf, takesValue } from "./case-tables.ts";
import { type Flag, type Looked, placesWithWords, type Tree, type Word } from "./tree.ts";

/** The script for fish 3 and newer. It uses only builtins of fish. */
export function fishScript(tree: Tree): string {
  return `# Completion of msgctl for fish. In ~/.config/fish/completions/msgctl.fish, or: msgctl completion fish | source

function __msgctl_enter --argument-names at word
    switch "$at $word"
${tree.places
  .filter(({ path }) => path !== "")
  .map(({ path, aliases }) => {
    const steps = [path, ...aliases].map((step) => quoted(step.includes(" ") ? step : ` ${step}`));
    return branch(steps, `echo ${quoted(path)}`);
  })
  .join("\n")}
        case '*'
            echo "$at"
    end
end

# Prints the kind of value that a flag takes (file, text, words, ids or profile), then the words or the field of the ids.
function __msgctl_value --argument-names at flag
    switch "$at $flag"
${[
  ...tree.places.flatMap(({ path, flags }) => flags.filter(takesValue).map((flag) => valueBranch(flag, `${path} `))),
  ...tree.globalFlags.filter(takesValue).map((flag) => valueBranch(flag, "* ")),
].join("\n")}
    end
end

function __msgctl_words --argument-names at profile current
    switch "$at"
${placesWithWords(tree)
  .map(({ path, words, first }) => branch([quoted(path)], first === undefined ? printed(words) : lookedUp(first)))
  .join("\n")}
    end
end

function __msgctl_config
    set -l config $HOME/.config
    string match -q "/*" -- "$XDG_CONFIG_HOME"; and set config $XDG_CONFIG_HOME
    echo $config/msgctl/config.json
end

# Prints the names of the profiles in config.json, which is indented by two spaces per level.
function __msgctl_profiles
    set -l config (__msgctl_config)
    test -f $config; and test -r $config; or return
    set -l inside ''
    while read -l line
        if test "$line" = '  "profiles": {'
            set inside 1
        else if string match -qr '^  }' -- $line
            set inside ''
        else if test -n "$inside"
            set -l name (string match -r '^    "([A-Za-z0-9._-]+)": \\{' -- $line)
            and echo $name[2]
        end
    end <$config
end

# Prints the ids that listed-ids.ts keeps. Skips lines with characters that no id has.
function __msgctl_ids --argument-names kind profile
    set -l config (__msgctl_config)
    set -l cache $HOME/.cache
    string match -q "/*" -- "$XDG_CACHE_HOME"; and set cache $XDG_CACHE_HOME
    test -z "$profile"; and test -n "$MSGCTL_API_KEY"; and set profile environment
    test -z "$profile"; and set profile "$MSGCTL_PROFILE"
    if test -z "$profile"; and test -r $config
        while read -l line
            set -l current (string match -r '^  "current": "([^"]*)"' -- $line)
            or continue
            set profile $current[2]
            break
        end <$config
    end
    test -n "$profile"; or set profile ${DEMO_PROFILE}
    string match -qr '^[A-Za-z0-9._-]+$' -- $profile; or return
    set -l file $cache/msgctl/ids/$profile
    test -f $file; and test -r $file; or return
    while read -l line
        string match -qr "^$kind "'[A-Za-z0-9._: -]*$' -- $line; and printf '%s\\n' (string split ' ' -- $line)[2..-1]
    end <$file
end

function __msgctl_flags --argument-names at
    switch "$at"
${tree.places
  .filter(({ flags }) => flags.length > 0)
  .map(({ path, flags }) => branch([quoted(path)], printed(flagWords(flags))))
  .join("\n")}
    end
    ${printed(flagWords(tree.globalFlags))}
end

function __msgctl_complete
    set -l before (commandline -opc)
    set -e before[1]
    set -l current (commandline -ct)
    set -l at ''
    set -l flag ''
    set -l given ''
    set -l profile ''
    set -l value
    for word in $before
        if test -n "$flag"
            test "$flag" = --profile; and set profile "$word"
            set flag ''
            continue
        end
        switch "$word"
            case '--profile=*'
                set profile (string split -m 1 = -- "$word")[2]
            case '-*=*'
            case '-*'
                set value (__msgctl_value "$at" "$word")
                test (count $value) -gt 0; and set flag "$word"
            case '*'
                set given "$at"
                set at (__msgctl_enter "$at" "$word")
                test "$at" = "$given"; or set given ''
        end
    end
    set -l prefix ''
    if test -z "$flag"; and string match -q -- '-*=*' "$current"
        set flag (string split -m 1 = -- "$current")[1]
        set value (__msgctl_value "$at" "$flag")
        set prefix "$flag="
    end
    if test -z "$flag"
        if string match -q -- '-*' "$current"
            __msgctl_flags "$at"
        else
            test -n "$given"; or __msgctl_words "$at" "$profile" "$current"
        end
    else if test "$value[1]" = words
        printf '%s\\n' $prefix$value[2..-1]
    else if test "$value[1]" = ids
        set -l ids (__msgctl_ids $value[2] "$profile")
        printf '%s\\n' $prefix$ids
    else if test "$value[1]" = profile
        set -l names (__msgctl_profiles)
        printf '%s\\n' $prefix$names
    else if test "$value[1]" = file
        __fish_complete_path (string replace -- "$prefix" '' "$current")
    end
end

complete -c msgctl -f -a '(__msgctl_complete)'
`;
}

function branch(patterns: readonly string[], body: string): string {
  return `        case ${patterns.join(" ")}\n            ${body}`;
}

function valueBranch({ names, takes }: Flag, before: string): string {
  const words = typeof takes === "string" ? [] : "ids" in takes ? [takes.ids] : takes;
  const lines = [kindOf(takes), ...words];
  return branch(
    names.map((name) => quoted(before + name)),
    `printf '%s\\n' ${lines.join(" ")}`,
  );
}

function lookedUp(first: Looked): string {
  if (first === "file") return '__fish_complete_path "$current"';
  return first === "profile" ? "__msgctl_profiles" : `__msgctl_ids ${first.ids} "$profile"`;
}

function flagWords(flags: readonly Flag[]): Word[] {
  return flags.flatMap(({ names, description }) => names.map((word) => ({ word, description })));
}

/** One line per word, with its description after a tab. */
function printed(words: readonly Word[]): string {
  return `printf '%s\\t%s\\n' ${words.map(({ word, description }) => `${word} ${quoted(description)}`).join(" ")}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
