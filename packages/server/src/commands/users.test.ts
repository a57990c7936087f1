import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { noteStep, saveSecondFactor } from "../domain/users/second-factor-rows.ts";
import { usePasswordLink } from "../domain/users/users.ts";
import { systemClock } from "../platform/clock.ts";
import { readPepper } from "../platform/data-folder.ts";
import { ConfigError } from "../settings/config.ts";
import type { Store } from "../store/store.ts";
import { makeCommandEnvironment, type Printed } from "../testing/command-environment.ts";
import { findInstallation } from "./database.ts";
import type { CommandEnvironment } from "./environment.ts";
import { runTenantsCreate } from "./tenants.ts";
import { runUsersCreate, runUsersDisable, runUsersList, runUsersReset } from "./users.ts";

const DAY_MS = 24 * 60 * 60_000;
const json = { output: "json" } as const;

let parent: string;
let printed: Printed;
let now: number;
let environment: CommandEnvironment;
beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), "msgd-users-"));
  now = Date.parse("2026-11-24T12:00:00Z");
  const clock = { ...systemClock, now: () => now };
  ({ environment, printed } = makeCommandEnvironment(join(parent, "data"), clock));
  await runTenantsCreate("Acme", { ...json, timezone: "UTC" }, environment);
});
afterEach(() => rmSync(parent, { recursive: true }));

async function printedBy(command: Promise<void>) {
  printed.out = "";
  await command;
  return JSON.parse(printed.out);
}

const create = (email: string, flags: { role?: string; tenant?: string; merchant?: string } = {}) =>
  printedBy(runUsersCreate({ ...json, tenant: "1", role: "agent", email, ...flags }, environment));
const listStates = async () =>
  (await printedBy(runUsersList(json, environment))).map(({ email, state }: Record<string, string>) => [email, state]);

const tokenOf = ({ link }: { link: string }) => new URL(link).hash.slice(1);

async function withStore<T>(work: (store: Store, pepper: string) => Promise<T>): Promise<T> {
  const installation = findInstallation({}, environment.env);
  const store = await environment.openStore(installation.database);
  try {
    return await work(store, readPepper(installation.folder));
  } finally {
    await store.close();
  }
}

const use = (token: string, password = "a long enough password") =>
  withStore((store, pepper) =>
    store.write((tx) => usePasswordLink(tx, { token, password, passwordHash: "scrypt$…", pepper, now })),
  );

describe("users create --operator", () => {
  const createOperator = (flags: object = {}) =>
    runUsersCreate({ ...json, operator: true, email: "op@example.com", ...flags }, environment);

  it("creates an operator, who belongs to no tenant", async () => {
    const created = await printedBy(createOperator());
    expect(created).toMatchObject({ tenantId: null, merchantId: null, role: "operator" });
    expect(await use(tokenOf(created))).toMatchObject({ user: { email: "op@example.com" } });
    expect((await printedBy(runUsersList(json, environment)))[0]).toMatchObject({ tenantId: null, state: "ACTIVE" });
    printed.out = "";
    await runUsersList({ output: "text" }, environment);
    expect(printed.out).toContain("op@example.com  ACTIVE  operator  all tenants  never signed in");
    expect(await printedBy(runUsersDisable("op@example.com", json, environment))).toMatchObject({ state: "DISABLED" });
  });

  it.each([
    [{ tenant: "1" }, "--tenant, --operator: expected one of them"],
    [{ operator: false }, "--tenant, --operator: expected one of them"],
    [{ role: "viewer" }, "--operator: expected no --merchant and no --role"],
    [{ merchant: "m1" }, "--operator: expected no --merchant and no --role"],
  ])("refuses the flags %j", async (flags, words) => {
    await expect(createOperator(flags)).rejects.toThrow(words);
    expect(await listStates()).toEqual([]);
  });
});

it("users list shows who has a second factor, which a reset removes", async () => {
  await create("ann@example.com");
  await create("bob@example.com");
  await withStore((store) =>
    store.write(async (tx) => {
      await saveSecondFactor(tx, { userId: 1, sealedSecret: "v1", now });
      await noteStep(tx, { userId: 1, step: 1, now });
    }),
  );
  const list = async () => {
    printed.out = "";
    await runUsersList({ output: "text" }, environment);
    return printed.out.split("\n").map((line) => line.includes("second factor"));
  };
  expect(await list()).toEqual([true, false, false]);
  const [ann] = await printedBy(runUsersList(json, environment));
  expect(ann.secondFactorSince).toBe("2026-11-24T12:00:00.000Z");
  await printedBy(runUsersReset("ann@example.com", json, environment));
  expect(await list()).toEqual([false, false, false]);
});

describe("users create", () => {
  it("prints a link with the public URL if that is known", async () => {
    printed.err = "";
    const { env } = environment;
    environment = { ...environment, env: { ...env, MSGD_PUBLIC_URL: "https://msg.example.com" } };
    const { link } = await create("ann@example.com");
    expect(link).toMatch(/^https:\/\/msg\.example\.com\/dashboard\/password#[\w-]{43}$/);
    expect(printed.err).toBe("Send them the link: it sets their password once, within a day.\n");
  });

  it("prints the user, and a link that sets a password once", async () => {
    const user = await create("Ann@Example.com");
    expect(user).toEqual({
      ...{ userId: "1", tenantId: "1", merchantId: null, email: "ann@example.com", role: "agent" },
      link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4800\/dashboard\/password#[\w-]{43}$/),
    });
    expect(await listStates()).toEqual([["ann@example.com", "INVITED"]]);
    expect(await use(tokenOf(user))).toMatchObject({ user: { email: "ann@example.com" } });
    expect(await listStates()).toEqual([["ann@example.com", "ACTIVE"]]);
    expect(await use(tokenOf(user))).toBeUndefined();
  });

  it("explains what is wrong with a password, without using up the link", async () => {
    const token = tokenOf(await create("ann.smith@example.com"));
    expect(await use(token, "short")).toEqual({ fault: "expected 12 to 128 characters, received 5" });
    expect(await use(token, "a".repeat(20))).toEqual({ fault: "expected at least 4 different characters" });
    expect(await use(token, "Ann.Smith@Example.com")).toEqual({ fault: "expected more than the email address" });
    expect(await use(token)).toHaveProperty("user");
  });

  it("creates a link that is invalid after the clock is set back, rather than valid for too long", async () => {
    now += 366 * DAY_MS;
    const token = tokenOf(await create("ann@example.com"));
    now -= 366 * DAY_MS;
    expect(await use(token)).toBeUndefined();
    expect(await listStates()).toEqual([["ann@example.com", "LINK_EXPIRED"]]);
  });

  it("refuses an address that is already used, in any tenant", async () => {
    await create("ann@example.com");
    await expect(create("ANN@example.com")).rejects.toThrow("msgd users reset ann@example.com");
  });

  it.each([
    [{ tenant: "7" }, "there is no tenant 7"],
    [{ merchant: "nobody" }, "tenant 1 has no merchant nobody"],
    [{ role: "owner" }, 'expected one of viewer, auditor, agent, admin, received "owner"'],
  ])("refuses %j", async (flags, words) => {
    await expect(create("ann@example.com", flags)).rejects.toThrow(words);
    expect(await printedBy(runUsersList(json, environment))).toEqual([]);
  });

  it("refuses an invalid address", async () => {
    await expect(create("ann")).rejects.toThrow(ConfigError);
  });
});

describe("users disable and reset", () => {
  it("end the link, and print another", async () => {
    const first = tokenOf(await create("ann@example.com"));
    await runUsersDisable("ann@example.com", json, environment);
    expect(await listStates()).toEqual([["ann@example.com", "DISABLED"]]);
    expect(await use(first)).toBeUndefined();
    const second = tokenOf(await printedBy(runUsersReset("ann@example.com", json, environment)));
    expect(await listStates()).toEqual([["ann@example.com", "INVITED"]]);
    expect(await use(first)).toBeUndefined();
    expect(await use(second)).toHaveProperty("user");
  });

  it("report an unknown user", async () => {
    await expect(runUsersDisable("no@example.com", json, environment)).rejects.toThrow("no user no@example.com");
    await expect(runUsersReset("no@example.com", json, environment)).rejects.toThrow("msgd users list");
  });
});
