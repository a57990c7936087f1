import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const OUTPUT: Output = { kind: "text", columns: [], fields: [], secrets: [] };

export const mock: Definition = {
  summary: "Show how to run a mock of the service",
  description:
    "Shows how to run a mock of the service on this machine, for tests in any language, and how to call " +
    "it. The mock is a separate package, @msgctl/mocks, because it contains the whole server; npx downloads it.",
  arguments: [],
  flags: [],
  output: OUTPUT,
  examples: [{ title: "Show how to run a mock", argv: ["mock"] }],
};
