import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Fault } from "../../failures/errors.ts";
import { readSettings } from "../../process/config.ts";
import { WEBHOOK_SECRET } from "../../testing/callbacks.ts";
import { folder } from "../../testing/world.ts";
import { findSecrets, secretsIn } from "./webhook-secrets.ts";

const DEMO = `whsec_${Buffer.alloc(24, 2).toString("base64")}`;

interface Given {
  files?: readonly string[];
  profile?: string;
  env?: Record<string, string>;
  stdin?: string;
}

async function find({ files = [], profile, env = {}, stdin = "" }: Given) {
  const cwd = folder();
  mkdirSync(join(cwd, ".msgd"));
  const demo = { baseUrl: "http://127.0.0.1:4800", apiKey: "k", apiSecret: "s", callbackSecret: DEMO };
  writeFileSync(join(cwd, ".msgd", "demo-credential.json"), JSON.stringify(demo), { mode: 0o600 });
  writeFileSync(join(cwd, "both.txt"), `${WEBHOOK_SECRET}\n${DEMO}\n`);
  const settings = readSettings({ HOME: cwd, ...env });
  const faults: Fault[] = [];
  const found = await findSecrets({ files, profile }, settings, { cwd, readStdin: async () => stdin }, faults);
  return { ...found, faults };
}

it.each<[string, Given, readonly string[] | undefined]>([
  ["the demo server's secret if nothing else is configured", {}, [DEMO]],
  [
    "the demo server's secret if the profile demo is named",
    { profile: "demo", env: { MSGCTL_API_KEY: "k", MSGCTL_API_SECRET: "s" } },
    [DEMO],
  ],
  [
    "no secret if the credential is for another service",
    { env: { MSGCTL_API_KEY: "k", MSGCTL_API_SECRET: "s" } },
    undefined,
  ],
  ["no secret for another profile", { profile: "prod" }, undefined],
  [
    "the variable's secret, not the demo server's",
    { profile: "demo", env: { MSGCTL_WEBHOOK_SECRET: WEBHOOK_SECRET } },
    [WEBHOOK_SECRET],
  ],
  [
    "the secrets in files, not the variable's",
    { files: ["both.txt"], env: { MSGCTL_WEBHOOK_SECRET: "none" } },
    [WEBHOOK_SECRET, DEMO],
  ],
  ["the secrets in files and standard input", { files: ["-", "both.txt"], stdin: DEMO }, [DEMO, WEBHOOK_SECRET, DEMO]],
])("msgctl listen uses %s", async (_what, given, secrets) => {
  expect(await find(given)).toMatchObject({ ...(secrets && { secrets }), faults: [] });
});

it.each<[Given, string, string]>([
  [{ files: ["none.txt"] }, "--secret-file", "the file cannot be read"],
  [{ files: ["-"], stdin: "\n" }, "--secret-file", "received nothing"],
  [{ files: ["-"], stdin: "whsec_!mine!" }, "--secret-file", "received a value that is not shown"],
  [{ env: { MSGCTL_WEBHOOK_SECRET: "mine!" } }, "MSGCTL_WEBHOOK_SECRET", "received a value that is not shown"],
])("msgctl listen refuses %j without quoting a secret", async (given, where, said) => {
  const { faults } = await find(given);
  expect(faults).toEqual([{ where, message: expect.stringContaining(said) }]);
  expect(faults[0]?.message).not.toMatch(/mine|none\.txt/);
});

it.each([
  [`callbackSecret  ${DEMO}\n`, [DEMO]],
  [`{"tenantId":"1","callbackSecret":"${DEMO}"}`, [DEMO]],
  [`${DEMO}, ${WEBHOOK_SECRET}`, [DEMO, WEBHOOK_SECRET]],
  ["AAEC\nAwQF", ["AAEC", "AwQF"]],
  [" \n", []],
])("finds the secrets in the text %j", (text, secrets) => {
  expect(secretsIn(text)).toEqual(secrets);
});
