import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const FIELDS = ["command", "operationId", "method", "path", "parameters", "request", "reply", "example", "rows"];
const OUTPUT: Output = { kind: "object", columns: [], fields: FIELDS, secrets: [] };

export const schema: Definition = {
  summary: "Print the JSON Schemas of a command, with an example",
  description:
    "Prints the request and the response of a command as JSON Schema, with an example request: for an editor, " +
    "a form generator, or to check a --body-file. `parameters` has the parameters of path and query, `request` the body; null " +
    "means that there are none. For a command that reads a CSV list, `rows` has the columns " +
    "of the list and an example.",
  arguments: [
    { name: "group", description: "First word of the command." },
    { name: "command", description: "Second word." },
  ],
  flags: [],
  takesCommand: true,
  output: OUTPUT,
  examples: [
    { title: "Print the schemas of send sms", argv: ["schema", "send", "sms"] },
    { title: "Print only the schema of its body", argv: ["schema", "send", "sms", "--query", "request"] },
    { title: "Print the columns of a list for send bulk", argv: ["schema", "send", "bulk"] },
    { title: "Print the schemas of tts create as YAML", argv: ["schema", "tts", "create", "-o", "yaml"] },
  ],
};
