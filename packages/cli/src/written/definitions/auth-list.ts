import type { WrittenCommand } from "../written-command.ts";

export const authList: WrittenCommand = {
  words: "auth list",
  description:
    "Lists the profiles of this machine, which of them is the current one, and whether each has a credential; the demo " +
    "server of this folder stands among them.",
  arguments: [],
  flags: [],
  examples: [{ title: "Which profiles are there?", argv: ["auth", "list"] }],
};
