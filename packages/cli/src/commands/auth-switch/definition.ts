import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const OUTPUT: Output = { kind: "object", columns: ["current"], fields: ["current"], secrets: [] };

export const authSwitch: Definition = {
  summary: "Make another profile the current one",
  description: "Makes a profile the current one: every command uses it that is not told otherwise.",
  arguments: [
    {
      name: "profile",
      description: "Name of the profile; demo is the demo server of the present folder.",
      takes: "profile",
    },
  ],
  flags: [],
  output: OUTPUT,
  examples: [{ title: "Work with another service", argv: ["auth", "switch", "staging"] }],
};
