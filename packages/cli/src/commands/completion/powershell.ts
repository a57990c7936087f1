import { DEMO_PROFILE } from "../../call/access/profiles.ts";
import type { Flag, Place, Tree, Word } from "./tree.ts";

/** The script for PowerShell 5.1 and newer. */
export function powershellScript(tree: Tree): string {
  const { places, globalFlags } = tree;
  return `# Completion of msgctl for PowerShell. In $PROFILE: msgctl completion powershell | Out-String | Invoke-Expression

$msgctlSteps = @{
${places
  .filter(({ path }) => path !== "")
  .flatMap(({ path, aliases }) => {
    return [path, ...aliases].map((step) => `    ${quoted(step.includes(" ") ? step : ` ${step}`)} = ${quoted(path)}`);
  })
  .join("\n")}
}
$msgctlValues = @{
${[
  ...places.flatMap(({ path, flags }) => flags.flatMap((flag) => values(flag, `${path} `))),
  ...globalFlags.flatMap((flag) => values(flag, "* ")),
].join("\n")}
}
$msgctlWords = @{
${places.map((place) => `    ${quoted(place.path)} = ${formatWords(place)}`).join("\n")}
}
$msgctlFlags = @{
${places.map(({ path, flags }) => `    ${quoted(path)} = ${offers(flagWords(flags))}`).join("\n")}
    '*' = ${offers(flagWords(globalFlags))}
}

Register-ArgumentCompleter -Native -CommandName 'msgctl' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $at = ''
    $flag = ''
    $current = "$wordToComplete"
    $prefix = ''
    $given = $false
    $profileName = ''
    $valueOf = {
        param($name)
        $own = $msgctlValues["$at $name"]
        if ($null -ne $own) { $own } else { $msgctlValues["* $name"] }
    }
    $configFolder = {
        if ($env:XDG_CONFIG_HOME -match '^([/\\\\]|.:[/\\\\])') { $env:XDG_CONFIG_HOME } elseif ($env:APPDATA) { $env:APPDATA } else { "$HOME/.config" }
    }
    # Returns the ids that listed-ids.ts keeps. Skips lines with characters that no id has.
    $idsOf = {
        param($kind)
        $config = & $configFolder
        $cache = if ($env:XDG_CACHE_HOME -match '^([/\\\\]|.:[/\\\\])') { $env:XDG_CACHE_HOME } elseif ($env:LOCALAPPDATA) { $env:LOCALAPPDATA } else { "$HOME/.cache" }
        $name = $profileName
        if (-not $name -and $env:MSGCTL_API_KEY) { $name = 'environment' }
        if (-not $name) { $name = $env:MSGCTL_PROFILE }
        if (-not $name -and (Test-Path -PathType Leaf "$config/msgctl/config.json")) {
            foreach ($line in [System.IO.File]::ReadAllLines("$config/msgctl/config.json")) {
                if ($line -match '^  "current": "([^"]*)"') { $name = $Matches[1]; break }
            }
        }
        if (-not $name) { $name = '${DEMO_PROFILE}' }
        if ($name -notmatch '^[A-Za-z0-9._-]+$' -or -not (Test-Path -PathType Leaf "$cache/msgctl/ids/$name")) { return }
        foreach ($line in [System.IO.File]::ReadAllLines("$cache/msgctl/ids/$name")) {
            if ($line -match ("^$kind " + '[A-Za-z0-9._: -]*$')) { $line -split ' ' | Select-Object -Skip 1 }
        }
    }
    # Returns the names of the profiles in config.json, which is indented by two spaces per level.
    $profilesOf = {
        $config = & $configFolder
        if (-not (Test-Path -PathType Leaf "$config/msgctl/config.json")) { return }
        $inside = $false
        foreach ($line in [System.IO.File]::ReadAllLines("$config/msgctl/config.json")) {
            if ($line -eq '  "profiles": {') { $inside = $true }
            elseif ($line -match '^  }') { $inside = $false }
            elseif ($inside -and $line -match '^    "([A-Za-z0-9._-]+)": \\{') { $Matches[1] }
        }
    }
    $before = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition })
    foreach ($element in $before) {
        $word = $element.Extent.Text
        if ($flag -ne '') { if ($flag -eq '--profile') { $profileName = $word }; $flag = '' }
        elseif ($word -like '--profile=*') { $profileName = $word.Substring(10) }
        elseif ($word -like '-*=*') { }
        elseif ($word -like '-*') { if ($null -ne (& $valueOf $word)) { $flag = $word } }
        elseif ($msgctlSteps.ContainsKey("$at $word")) { $at = $msgctlSteps["$at $word"] }
        else { $given = $true }
    }
    if ($flag -eq '' -and $current -like '-*=*') {
        $flag, $current = $current -split '=', 2
        $prefix = "$flag="
    }
    # If nothing is returned, PowerShell offers files: right for a file, harmless for free text.
    if ($flag -ne '') { $offers = @(& $valueOf $flag | Where-Object { $_ -ne ':file' -and $_ -ne ':text' }) }
    elseif ($current -like '-*') { $offers = @($msgctlFlags[$at]) + @($msgctlFlags['*']) }
    else { $offers = @($msgctlWords[$at] | Where-Object { -not $given -and $_ -ne ':file' }) }
    $offers = @($offers | ForEach-Object {
        if ($_ -like ':ids *') { & $idsOf $_.Substring(5) } elseif ($_ -eq ':profile') { & $profilesOf } else { $_ }
    })
    foreach ($offer in $offers) {
        $word, $said = "$offer" -split ' ', 2
        if ($word -eq '' -or -not $word.StartsWith($current)) { continue }
        if (-not $said) { $said = $word }
        [System.Management.Automation.CompletionResult]::new("$prefix$word", $word, 'ParameterValue', $said)
    }
}.GetNewClosure()
`;
}

/** Formats the value of a flag or argument. A leading colon marks a kind of value, as opposed to a literal word. */
function values({ names, takes }: Flag, before: string): string[] {
  if (takes === "nothing") return [];
  const list = typeof takes === "string" ? [`:${takes}`] : "ids" in takes ? [`:ids ${takes.ids}`] : takes;
  return names.map((name) => `    ${quoted(before + name)} = @(${list.map(quoted).join(", ")})`);
}

function flagWords(flags: readonly Flag[]): Word[] {
  return flags.flatMap(({ names, description }) => names.map((word) => ({ word, description })));
}

function formatWords({ words, first }: Place): string {
  return first === undefined
    ? offers(words)
    : `@(${quoted(typeof first === "string" ? `:${first}` : `:ids ${first.ids}`)})`;
}

/** Each word with its description after a space. */
function offers(words: readonly Word[]): string {
  return `@(${words.map(({ word, description }) => quoted(`${word} ${description}`.trimEnd())).join(", ")})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
