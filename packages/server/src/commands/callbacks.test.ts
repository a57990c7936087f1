import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { stopSubscription } from "../domain/callbacks/event-rows.ts";
import { systemClock } from "../platform/clock.ts";
import { listRecorded, makeCommandEnvironment, type Printed, writeBeside } from "../testing/command-environment.ts";
import { answering, openReceiver, type Receiver } from "../testing/receivers.ts";
import {
  runCallbacksList,
  runCallbacksRemove,
  runCallbacksSet,
  runCallbacksShow,
  runCallbacksTest,
} from "./callbacks.ts";
import type { CommandEnvironment } from "./environment.ts";
import { runCallbacksSecret } from "./secrets.ts";
import { runTenantsCreate } from "./tenants.ts";

const json = { output: "json", tenant: "1" } as const;
const url = "https://shop.example/events";

let parent: string;
let printed: Printed;
let environment: CommandEnvironment;
beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), "msgd-callbacks-"));
  ({ environment, printed } = makeCommandEnvironment(join(parent, "data"), systemClock));
  await runTenantsCreate("Acme", { output: "json", timezone: "UTC" }, environment);
  printed.out = "";
});
afterEach(() => rmSync(parent, { recursive: true }));

const take = () => {
  const text = printed.out;
  printed.out = "";
  return JSON.parse(text);
};

async function openHook(status: number): Promise<Receiver> {
  const receiver = await openReceiver(answering(status));
  onTestFinished(receiver.close);
  return receiver;
}

it("a URL is set, shown, listed and removed, and the audit says so", async () => {
  await runCallbacksSet({ ...json, url }, environment);
  const set = take();
  expect(set).toMatchObject({ tenantId: "1", url, events: "message.updated,message.received", stoppedAt: null });
  await runCallbacksShow(json, environment);
  expect(take()).toEqual(set);
  await runCallbacksSet({ ...json, url, events: "message.received" }, environment);
  await runCallbacksList({ output: "text" }, environment);
  expect(printed.out.split("\n").at(-2)).toBe(`tenant 1  ${url}  message.received`);
  await runCallbacksRemove({ ...json, output: "text" }, environment);
  await expect(runCallbacksShow(json, environment)).rejects.toThrow(
    "tenant 1 has no URL for events of messages: set one",
  );
  await expect(runCallbacksRemove(json, environment)).rejects.toThrow("has no URL");
  const entries = await listRecorded(environment);
  expect(entries.reverse().map(({ operation, target }) => [operation, target])).toEqual([
    ["callbacks set", `url ${url}, events message.updated, message.received`],
    ["callbacks set", `url ${url}, events message.received`],
    ["callbacks remove", `url ${url}`],
  ]);
});

it.each([
  ["http://127.0.0.1:4810/", "msgd callbacks test --tenant 1 --allow-private-callbacks\n"],
  [url, "msgd callbacks test --tenant 1\n"],
])("names the command that tests %s", async (given, command) => {
  await runCallbacksSet({ ...json, url: given, allowPrivateCallbacks: true }, environment);
  expect(printed.err).toContain(command);
  expect(printed.err.includes("The server posts there only with --allow-private-callbacks")).toBe(given !== url);
});

it("after a 410 it is shown as stopped, until it is set again", async () => {
  await runCallbacksSet({ ...json, url }, environment);
  await writeBeside(environment, (tx) => stopSubscription(tx, { tenantId: 1, url }, Date.parse("2026-01-01")));
  printed.out = "";
  await runCallbacksShow(json, environment);
  expect(take().stoppedAt).toBe("2026-01-01T00:00:00.000Z");
  await runCallbacksSet({ ...json, url }, environment);
  expect(take().stoppedAt).toBeNull();
});

it.each([
  [
    "http://shop.example/",
    {},
    "--url: Expected an https URL; received http. For development, give --allow-private-callbacks",
  ],
  ["https://10.0.0.1/", {}, "--url: Expected a host that is reachable from the public internet"],
  ["shop.example", {}, "the text is not a URL"],
  [`https://shop.example/${"a".repeat(2_048)}`, {}, "--url: Expected at most 2048 characters"],
  [
    url,
    { events: "message.sent" },
    '--events: expected message.updated or message.received, or both with a comma; received "message.sent"',
  ],
  [url, { events: "" }, "--events: expected"],
  [url, { tenant: "7" }, "tenant 7"],
])("%s with %o is refused", async (given, flags, fault) => {
  await expect(runCallbacksSet({ ...json, url: given, ...flags }, environment)).rejects.toThrow(fault);
});

it("a test is signed, and fails unless the receiver accepts it", async () => {
  const hook = await openHook(200);
  const local = { ...json, allowPrivateCallbacks: true };
  await runCallbacksSet({ ...local, url: hook.url }, environment);
  printed.out = "";
  await runCallbacksTest(local, environment);
  expect(take()).toMatchObject({ url: `${hook.url}`, outcome: "200" });
  await runCallbacksSecret({ ...json, overlap: "0" }, environment);
  const key = Buffer.from(take().callbackSecret.slice("whsec_".length), "base64");
  const [{ headers, body } = { headers: {}, body: "" }] = hook.received;
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  expect(JSON.parse(body)).toMatchObject({ type: "callbacks.test", data: { tenantId: "1" } });

  await expect(runCallbacksTest(json, environment)).rejects.toThrow("the URL of tenant 1: Expected an https URL");
  const failing = await openHook(500);
  await runCallbacksSet({ ...local, url: failing.url }, environment);
  await expect(runCallbacksTest(local, environment)).rejects.toThrow("did not accept the event (500)");
  expect(failing.received.length).toBe(1);
});
