import type { Output } from "../../record.ts";
import type { WrittenCommand } from "../written-command.ts";

const OUTPUT: Output = { kind: "object", columns: ["current"], fields: ["current"], secrets: [] };

export const authSwitch: WrittenCommand = {
  words: "auth switch",
  description: "Makes a profile the current one: every command uses it that is not told otherwise.",
  arguments: [{ name: "profile", description: "Name of the profile; demo is the demo server of the present folder." }],
  flags: [],
  output: OUTPUT,
  examples: [{ title: "Work with another service", argv: ["auth", "switch", "staging"] }],
};
