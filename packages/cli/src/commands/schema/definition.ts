import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const FIELDS = ["command", "operationId", "method", "path", "parameters", "request", "reply", "example", "rows"];
const OUTPUT: Output = { kind: "object", columns: [], fields: FIELDS, secrets: [] };

export const schema: Definition = {
  summary: "Print the JSON Schemas of a command, with an example",
  description:
    "Prints JSON Schemas of a command's request and response, and an example request. Use the schemas in an editor or a " +
    "form generator, or to check a --body-file. `parameters` has the schemas of the path and query parameters, " +
    "`request` has the schema of the body, and `reply` has the schema of the response; each is null if " +
    "there is none. For a command that reads a CSV list, `rows` has the columns of the list and an example.",
  arguments: [
    { name: "group", description: "First word of the command." },
    { name: "command", description: "Second word." },
  ],
  flags: [],
  takesCommand: true,
  output: OUTPUT,
  examples: [
    { title: "Print what send sms sends", argv: ["schema", "send", "sms"] },
    { title: "Print only the schema of its body", argv: ["schema", "send", "sms", "--query", "request"] },
    { title: "Print the columns of a list for send bulk", argv: ["schema", "send", "bulk"] },
    { title: "As YAML", argv: ["schema", "tts", "create", "-o", "yaml"] },
  ],
};
