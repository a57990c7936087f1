import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";
import { PAGES } from "./pages.ts";

const OUTPUT: Output = { kind: "text", columns: [], fields: [], secrets: [] };

export const open: Definition = {
  summary: "Open the dashboard or the documentation in a browser",
  description:
    "Opens a page of the service in the browser: the dashboard, or one of its pages, or the documentation of the service. " +
    "Without a terminal or a browser, it prints the address instead.\n\n" +
    "`messages`, `calls`, `callbacks` and `recipients` take an id; `docs` takes the two words of a command, or the code of " +
    "an error.",
  arguments: [
    { name: "page", description: "Page to open; the dashboard without one.", optional: true, choices: PAGES },
    { name: "name", description: "Id, error code, or first word of a command.", optional: true },
    { name: "command", description: "Second word of a command.", optional: true },
  ],
  flags: [],
  refuses: ["--query"],
  output: OUTPUT,
  examples: [
    { title: "Open the dashboard", argv: ["open"] },
    { title: "See the messages", argv: ["open", "messages"] },
    { title: "Read about a command", argv: ["open", "docs", "send", "sms"] },
  ],
};
