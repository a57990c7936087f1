import type { Definition } from "../../model/command.ts";
import { SHELLS } from "./shells.ts";

export const completion: Definition = {
  summary: "Print the completion script of a shell",
  description:
    "Prints a script that completes groups, commands, flags and their values as you press TAB, ids among them: those that " +
    "lists have shown you last, with the profile in use. No process is started to complete a word. Print it again after " +
    "an update of msgctl.\n\n" +
    "Load it from the start file of the shell:\n" +
    "- bash: `source <(msgctl completion bash)` in ~/.bashrc\n" +
    "- zsh: `source <(msgctl completion zsh)` in ~/.zshrc, after compinit\n" +
    "- fish: `msgctl completion fish > ~/.config/fish/completions/msgctl.fish`, once\n" +
    "- PowerShell: `msgctl completion powershell | Out-String | Invoke-Expression` in $PROFILE",
  arguments: [{ name: "shell", description: "Shell that will read it.", choices: SHELLS }],
  flags: [],
  examples: [{ title: "Load it in bash", argv: ["completion", "bash"] }],
};
