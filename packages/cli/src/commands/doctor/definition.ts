import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const FIELDS = ["check", "status", "message", "fix"];
const OUTPUT: Output = { kind: "list", columns: FIELDS, fields: FIELDS, secrets: [] };

export const doctor: Definition = {
  summary: "Check the setup, and show how to fix problems",
  description:
    "Checks what a command needs: Node.js, the configuration, whether its folders can be written, the credential and where it " +
    "comes from, the proxy, the address, TLS, " +
    "the clock, whether the service accepts the credential, and whether its contract has the version that msgctl was built " +
    "for. A failed check says how to fix it. Exits with 0 if no check failed; warnings do not count.",
  arguments: [],
  flags: [],
  output: OUTPUT,
  requests: "some",
  examples: [
    { title: "Check the setup", argv: ["doctor"] },
    { title: "The same for a script", argv: ["doctor", "-o", "json"] },
  ],
};
