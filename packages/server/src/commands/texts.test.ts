import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { keepUnmatchedText } from "../domain/messages/text-rows.ts";
import { ConfigError } from "../settings/config.ts";
import { makeCommandEnvironment, type Printed } from "../testing/command-environment.ts";
import { findInstallation } from "./database.ts";
import type { CommandEnvironment } from "./environment.ts";
import { runTenantsCreate } from "./tenants.ts";
import { runTextsList } from "./texts.ts";

const now = Date.parse("2026-11-24T12:00:00Z");

let parent: string;
let printed: Printed;
let environment: CommandEnvironment;
beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), "msgd-texts-"));
  ({ environment, printed } = makeCommandEnvironment(join(parent, "data")));
  await runTenantsCreate("Acme", { output: "json", timezone: "UTC" }, environment);
});
afterEach(() => rmSync(parent, { recursive: true }));

/** Receives texts to an unassigned number, one per second. */
async function receive(...contents: readonly string[]): Promise<void> {
  const store = await environment.openStore(findInstallation({}, environment.env).database);
  const conversation = { carrier: "smpp-a", sender: "+12025550177", phone: "+12025550100" };
  await store.write(async (tx) => {
    for (const [index, content] of contents.entries()) {
      await keepUnmatchedText(tx, { ...conversation, eventId: `in-${index}`, content }, now + index * 1_000);
    }
  });
  await store.close();
}

async function list(flags: object = {}): Promise<Printed> {
  Object.assign(printed, { out: "", err: "" });
  await runTextsList({ output: "text", limit: "50", ...flags }, environment);
  return printed;
}

it("shows texts, newest first, with complete phone numbers and with keywords, but without control characters", async () => {
  await receive("Please stop texting me", "Who \u001b[31mis this?\nAnn");
  expect(await list()).toEqual({
    out: [
      "2026-11-24T12:00:01.000Z  +12025550100 to +12025550177  by smpp-a  Who \\u001b[31mis this? Ann\n",
      "2026-11-24T12:00:00.000Z  +12025550100 to +12025550177  by smpp-a  OPT_OUT  Please stop texting me\n",
    ].join(""),
    err: "",
  });
});

it("prints texts in full as JSON", async () => {
  const text = `STOP ${"!".repeat(200)}`;
  await receive(text);
  expect(JSON.parse((await list({ output: "json" })).out)).toEqual([
    {
      receivedAt: "2026-11-24T12:00:00.000Z",
      ...{ from: "+12025550100", to: "+12025550177", carrier: "smpp-a", action: "OPT_OUT", text },
    },
  ]);
});

it("says so if there are more texts, or none", async () => {
  expect(await list()).toEqual({ out: "", err: "No text was received at a number that belongs to no tenant.\n" });
  await receive("One", "Two", "Three");
  const { out, err } = await list({ limit: "2" });
  expect(out.match(/Three|Two|One/g)).toEqual(["Three", "Two"]);
  expect(err).toBe("There are more than 2: use --limit to show more.\n");
  expect((await list({ limit: "3" })).err).toBe("");
});

it("refuses an invalid limit", async () => {
  await expect(list({ limit: "0" })).rejects.toThrow(ConfigError);
});
