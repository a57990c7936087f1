// An agent without a model: asks the MCP server whether a person may be reminded, and sends the reminder once you agree.

import { createInterface } from "node:readline/promises";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [contact = "+12025550100"] = process.argv.slice(2);
const merchantId = "demo";

const client = new Client({ name: "remind", version: "1.0.0" }, { capabilities: { elicitation: { form: {} } } });

// the server asks before a call that costs money: show its question, and let a person answer
client.setRequestHandler("elicitation/create", async ({ params }) => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${params.message}\nGo ahead? [y/N] `);
  terminal.close();
  process.stdout.write("\n");
  return { action: "accept", content: { confirm: /^y(es)?$/i.test(answer) } };
});

await client.connect(
  new StdioClientTransport({
    command: "npx",
    args: ["@msgctl/mcp", "--profile", "demo", "--allow", "consent,send", "--allow-billable", "--max-sends", "1"],
    stderr: "inherit",
  }),
);

/** Calls a tool. A refusal is a result, which a model would read too. */
async function call<Reply>(name: string, args: Record<string, unknown>): Promise<Reply> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
  if (isError) throw new Error(content.map((part) => (part.type === "text" ? part.text : "")).join("\n"));
  return structuredContent as Reply;
}

interface Consents {
  items: { status: string }[];
}

try {
  const { items } = await call<Consents>("consent_list", {
    merchantId,
    filter: { contact, channel: "SMS" },
    fields: ["status"],
  });
  console.log(`consent for SMS: ${items[0]?.status ?? "none"}`);
  if (items[0] === undefined) {
    await call("consent_record", { merchantId, channel: "SMS", contact, status: "OPT_IN", source: "example" });
    console.log("recorded OPT_IN");
  }
  const message = "Your visit is tomorrow at 9:30. Reply STOP to opt out.";
  const { status } = await call<{ status: string }>("send_sms", { merchantId, to: contact, message, type: "REMINDER" });
  console.log(`reminder: ${status}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await client.close();
}
