import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const FIELDS = ["command", "operationId", "method", "path", "parameters", "request", "reply", "example"];
const OUTPUT: Output = { kind: "object", columns: [], fields: FIELDS, secrets: [] };

export const schema: Definition = {
  summary: "Print the schemas of a command and an example",
  description:
    "Prints what a command sends and what it is answered with, as JSON Schema, and an example of the request: for an editor, " +
    "a generator of forms or a check of a --body-file. `parameters` are those of path and query, `request` the body; null " +
    "stands where there is none.",
  arguments: [
    { name: "group", description: "First word of the command." },
    { name: "command", description: "Second word." },
  ],
  flags: [],
  takesCommand: true,
  output: OUTPUT,
  examples: [
    { title: "What send sms sends", argv: ["schema", "send", "sms"] },
    { title: "Only its body's schema", argv: ["schema", "send", "sms", "--query", "request"] },
    { title: "As YAML", argv: ["schema", "tts", "create", "-o", "yaml"] },
  ],
};
