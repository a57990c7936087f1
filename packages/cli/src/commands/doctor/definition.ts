import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const FIELDS = ["check", "status", "message", "fix"];
const OUTPUT: Output = { kind: "list", columns: FIELDS, fields: FIELDS, secrets: [] };

export const doctor: Definition = {
  summary: "Check that everything works, and how to mend what does not",
  description:
    "Checks what a command needs: Node.js, the configuration, whether its folders can be written, the credential and where it " +
    "comes from, the proxy, the address, TLS, " +
    "the clock, whether the service accepts the credential, and whether its contract is the one that this msgctl was made " +
    "from. Each that is not well says how to mend it. Exits with 0 when none failed; a warning is no failure.",
  arguments: [],
  flags: [],
  output: OUTPUT,
  requests: "some",
  examples: [
    { title: "See what is wrong", argv: ["doctor"] },
    { title: "The same for a script", argv: ["doctor", "-o", "json"] },
  ],
};
