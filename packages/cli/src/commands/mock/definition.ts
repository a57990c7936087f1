import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const OUTPUT: Output = { kind: "text", columns: [], fields: [], secrets: [] };

export const mock: Definition = {
  summary: "Tell how to serve a mock of the service",
  description:
    "Tells how to serve a mock of the service on this machine, for the tests of programs in any language, and how to call " +
    "it. The mock is a package of its own, @msgctl/mocks, as it brings the whole server; npx fetches it.",
  arguments: [],
  flags: [],
  output: OUTPUT,
  examples: [{ title: "See how to serve a mock", argv: ["mock"] }],
};
