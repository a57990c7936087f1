import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const OUTPUT: Output = { kind: "object", columns: ["current"], fields: ["current"], secrets: [] };

export const authSwitch: Definition = {
  summary: "Set the current profile",
  description: "Sets the current profile. Commands use it unless --profile or MSGCTL_PROFILE says otherwise.",
  arguments: [
    {
      name: "profile",
      description: "Name of the profile; demo is the demo server of the current folder.",
      takes: "profile",
    },
  ],
  flags: [],
  output: OUTPUT,
  examples: [{ title: "Work with another service", argv: ["auth", "switch", "staging"] }],
};
