import type { Definition } from "../../model/command.ts";
import { SHELLS } from "./shells.ts";

export const completion: Definition = {
  summary: "Print the completion script of a shell",
  description:
    "Prints a script that completes groups, commands, flags and their values when you press TAB. It offers the ids that " +
    "list commands last showed you under the profile in use. Completion starts no process. Print the script again after " +
    "an update of msgctl.\n\n" +
    "Load it from the start file of the shell:\n" +
    "- bash: `source <(msgctl completion bash)` in ~/.bashrc\n" +
    "- zsh: `source <(msgctl completion zsh)` in ~/.zshrc, after compinit\n" +
    "- fish: `msgctl completion fish > ~/.config/fish/completions/msgctl.fish`, once\n" +
    "- PowerShell: `msgctl completion powershell | Out-String | Invoke-Expression` in $PROFILE",
  arguments: [{ name: "shell", description: "Shell for which to print the script.", choices: SHELLS }],
  flags: [],
  examples: [{ title: "Load it in bash", argv: ["completion", "bash"] }],
};
