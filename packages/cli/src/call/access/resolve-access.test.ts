import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../failures/errors.ts";
import { readSettings } from "../../process/config.ts";
import { folder } from "../../testing/world.ts";
import { type AccessFlags, resolveAccess } from "./resolve-access.ts";

const SECRET = "mks_canary";
const ENVIRONMENT = {
  MSGCTL_API_KEY: "env-key",
  MSGCTL_API_SECRET: "env-secret",
  MSGCTL_BASE_URL: "https://env.example",
};

/** Resolves the access in a folder with these files: the text by path, and the mode. */
function resolve(
  files: Record<string, unknown>,
  {
    flags = {},
    env = {},
    mode = 0o600,
  }: { flags?: Partial<AccessFlags>; env?: Record<string, string>; mode?: number } = {},
) {
  const cwd = folder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(cwd, path), typeof content === "string" ? content : JSON.stringify(content));
    chmodSync(join(cwd, path), mode);
  }
  const settings = readSettings({ XDG_CONFIG_HOME: cwd, ...env });
  return resolveAccess({ profile: undefined, baseUrl: undefined, ...flags }, settings, cwd);
}

function refusal(act: () => unknown): ConfigurationError {
  try {
    act();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error("It was not refused.");
}

const profiles = {
  "msgctl/config.json": {
    current: "prod",
    profiles: { prod: { baseUrl: "https://prod.example" }, test: { baseUrl: "https://test.example" }, bare: {} },
  },
  "msgctl/credentials.json": {
    prod: { apiKey: "prod-key", apiSecret: "prod-secret" },
    bare: { apiKey: "bare-key", apiSecret: SECRET },
  },
};
const demo = {
  ".msgd/demo-credential.json": {
    baseUrl: "http://127.0.0.1:4800",
    apiKey: "demo-key",
    apiSecret: SECRET,
    tenantId: "1",
  },
};

it.each(["/api/v1", "/api/v1/", "//api/v1//", "/", ""])("%j at the end of an address is dropped", (end) => {
  const env = { ...ENVIRONMENT, MSGCTL_BASE_URL: `https://env.example/base${end}` };
  expect(resolve({}, { env }).baseUrl).toBe("https://env.example/base");
  const flags = { baseUrl: `https://flag.example${end}` };
  expect(resolve({}, { env, flags }).baseUrl).toBe("https://flag.example");
});

describe("resolveAccess prefers", () => {
  it.each([
    [
      "--profile to everything else",
      { flags: { profile: "demo" }, env: ENVIRONMENT },
      "demo-key",
      "http://127.0.0.1:4800",
    ],
    ["the environment to profiles", { env: ENVIRONMENT }, "env-key", "https://env.example"],
    ["MSGCTL_PROFILE to the current profile", { env: { MSGCTL_PROFILE: "demo" } }, "demo-key", "http://127.0.0.1:4800"],
    ["the current profile to the demo", {}, "prod-key", "https://prod.example"],
    ["--base-url to a profile's address", { flags: { baseUrl: "http://x.example" } }, "prod-key", "http://x.example"],
    [
      "MSGCTL_BASE_URL to the current profile's address",
      { env: { MSGCTL_BASE_URL: "http://y.example" } },
      "prod-key",
      "http://y.example",
    ],
    [
      "--profile's address to MSGCTL_BASE_URL",
      { flags: { profile: "prod" }, env: ENVIRONMENT },
      "prod-key",
      "https://prod.example",
    ],
  ])("%s", (_, how, apiKey, baseUrl) => {
    expect(resolve({ ...profiles, ...demo }, how)).toMatchObject({ apiKey, baseUrl });
  });

  it("every other source to the demo server of this folder, which is the last resort", () => {
    const credential = { apiKey: "demo-key", apiSecret: SECRET };
    expect(resolve(demo)).toEqual({ ...credential, baseUrl: "http://127.0.0.1:4800", isDemo: true });
    const elsewhere = { flags: { profile: "demo", baseUrl: "http://z.example" } };
    expect(resolve(demo, elsewhere)).toEqual({ ...credential, baseUrl: "http://z.example" });
  });
});

describe("resolveAccess refuses, and suggests a remedy for", () => {
  it.each<[string, Record<string, unknown>, Parameters<typeof resolve>[1], string, string]>([
    ["no configuration at all", {}, {}, "no credential is configured", "--profile demo"],
    ["half a credential", {}, { env: { MSGCTL_API_KEY: "k" } }, "MSGCTL_API_SECRET is not", "Set MSGCTL_API_SECRET"],
    [
      "a credential without an address",
      {},
      { env: { MSGCTL_API_KEY: "k", MSGCTL_API_SECRET: "s" } },
      "no service address",
      "MSGCTL_BASE_URL",
    ],
    [
      "a profile without an address",
      profiles,
      { flags: { profile: "bare" }, env: ENVIRONMENT },
      "no service address",
      "baseUrl",
    ],
    [
      "a profile without a credential",
      profiles,
      { flags: { profile: "test" } },
      "has no credential",
      "msgctl auth login --profile test",
    ],
    [
      "a misspelt profile",
      profiles,
      { flags: { profile: "prd" } },
      'no profile "prd"; expected demo, prod, test, bare; did you mean prod?',
      "msgctl auth list",
    ],
    [
      "an unknown profile named like a property of every object",
      profiles,
      { flags: { profile: "constructor" } },
      "no profile",
      "msgctl auth list",
    ],
    ["no demo server", {}, { flags: { profile: "demo" } }, "no demo server was started", "npm start"],
    [
      "an invalid address",
      {},
      { env: { ...ENVIRONMENT, MSGCTL_BASE_URL: "localhost:4800" } },
      "is not valid",
      "MSGCTL_BASE_URL",
    ],
    [
      "a broken file",
      { "msgctl/config.json": `{ "secret": "${SECRET}"` },
      {},
      "does not hold a JSON object",
      "Correct",
    ],
    [
      "a demo server elsewhere",
      { ".msgd/demo-credential.json": { baseUrl: "http://evil.example", apiKey: "k", apiSecret: SECRET } },
      {},
      "not on this machine",
      "npm start",
    ],
    [
      "a demo server elsewhere in disguise",
      { ".msgd/demo-credential.json": { baseUrl: "http://127.0.0.1.evil.example", apiKey: "k", apiSecret: SECRET } },
      {},
      "not on this machine",
      "npm start",
    ],
    [
      "half a demo credential",
      { ".msgd/demo-credential.json": { baseUrl: "http://[::1]:1", apiKey: "k" } },
      {},
      "lacks",
      "npm start",
    ],
  ])("%s", (_, files, how, message, hint) => {
    const error = refusal(() => resolve(files, how));
    expect(error.exitCode).toBe(3);
    expect(error.message).toContain(message);
    expect(error.details.hints?.join(" ")).toContain(hint);
    expect(JSON.stringify([error.message, error.details])).not.toContain(SECRET);
  });

  it.skipIf(process.platform === "win32").each([
    ["credentials.json", profiles, 0o640],
    ["credentials.json", profiles, 0o604],
    ["demo-credential.json", demo, 0o644],
  ])("%s that others can read", (name, files, mode) => {
    const error = refusal(() => resolve(files, { mode }));
    expect(error.message).toMatch(new RegExp(`${name} holds credentials.*mode 0${mode.toString(8)}; expected 0600`));
    expect(error.details.hints?.[0]).toMatch(/chmod 600 .*/);
  });
});
