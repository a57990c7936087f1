// The operator's decisions about a tenant, and their effects on its callers and users.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { saveStanding } from "../domain/tenancy/rows.ts";
import { systemClock } from "../platform/clock.ts";
import { ConfigError } from "../settings/config.ts";
import { listRecorded, makeCommandEnvironment, type Printed } from "../testing/command-environment.ts";
import { type DashboardService, openDashboardService, PASSWORD, type SignedIn } from "../testing/dashboard-service.ts";
import type { CommandEnvironment } from "./environment.ts";
import {
  runTenantsCreate,
  runTenantsDisable,
  runTenantsEnable,
  runTenantsLimit,
  runTenantsSecondFactor,
  runTenantsTextHours,
} from "./tenants.ts";

const by = { output: "json", by: "Ann" } as const;

let parent: string;
let printed: Printed;
let environment: CommandEnvironment;
beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), "msgd-standings-"));
  ({ environment, printed } = makeCommandEnvironment(join(parent, "data"), { ...systemClock, now: () => 1_000 }));
  await runTenantsCreate("Acme", { output: "json", timezone: "UTC" }, environment);
});
afterEach(() => rmSync(parent, { recursive: true }));

async function resultOf(command: Promise<void>) {
  Object.assign(printed, { out: "", err: "" });
  await command;
  return JSON.parse(printed.out);
}
const auditNow = async () => {
  const entries = await listRecorded(environment);
  return entries.map(({ email, operation, target }) => `${email}: ${operation}, ${target}`);
};

describe("the commands", () => {
  it("disable a tenant, which keeps its first reason, and enable it again", async () => {
    const disabled = await resultOf(runTenantsDisable("1", { ...by, reason: "a loop" }, environment));
    expect(disabled).toEqual({
      ...{ tenantId: "1", state: "DISABLED", disabledAt: "1970-01-01T00:00:01.000Z" },
      ...{ disabledReason: "a loop", disabledBy: "Ann", rateLimit: null },
      ...{ textHours: "08:00-20:00 +1", secondFactor: "optional" },
    });
    expect(printed.err).toContain("Within a second all its keys are refused");
    expect(await resultOf(runTenantsDisable("1", { ...by, by: "Bob", reason: "again" }, environment))).toEqual(
      disabled,
    );
    expect(printed.err).toContain("nothing has changed");
    expect(await resultOf(runTenantsEnable("1", by, environment))).toMatchObject({ state: "ACTIVE", disabledBy: null });
    await resultOf(runTenantsEnable("1", by, environment));
    expect(await auditNow()).toEqual(["Ann: tenants enable, enabled", "Ann: tenants disable, reason a loop"]);
  });

  it("set a tenant's rate limit, or restore the server's", async () => {
    expect(await resultOf(runTenantsLimit("1", { ...by, rate: "50:100" }, environment))).toMatchObject({
      rateLimit: "50:100",
    });
    await resultOf(runTenantsDisable("1", { ...by, reason: "x" }, environment));
    expect(await resultOf(runTenantsLimit("1", { ...by, none: true }, environment))).toMatchObject({
      ...{ rateLimit: null, state: "DISABLED" },
    });
  });

  it("hold a tenant's marketing texts to hours, of all numbers or of some, or stop holding them", async () => {
    const hold = (hours: string, to?: string) =>
      resultOf(runTenantsTextHours("1", hours, { ...by, ...(to === undefined ? {} : { to }) }, environment));
    expect(await hold("09:00-20:30")).toMatchObject({ state: "ACTIVE", textHours: "09:00-20:30" });
    expect(printed.err).toContain("stay QUEUED outside these hours");
    expect(await hold("08:00-20:00", "+44")).toMatchObject({ textHours: "08:00-20:00 +44" });
    expect(await resultOf(runTenantsLimit("1", { ...by, rate: "50:100" }, environment))).toMatchObject({
      textHours: "08:00-20:00 +44",
    });
    expect(await hold("off")).toMatchObject({ textHours: null });
    expect(printed.err).toContain("at any time from now on");
    expect(await hold("off")).toMatchObject({ textHours: null });
    expect(printed.err).toContain("nothing has changed");
    expect((await auditNow()).filter((entry) => entry.includes("text-hours"))).toEqual([
      "Ann: tenants text-hours, off",
      "Ann: tenants text-hours, 08:00-20:00 +44",
      "Ann: tenants text-hours, 09:00-20:30",
    ]);
    for (const [hours, to] of [
      ["20:00-08:00"],
      ["08:00-20:00 +1"],
      ["on"],
      ["08:00-20:00", "44"],
      ["off", "+1"],
    ] as const) {
      await expect(hold(hours, to)).rejects.toThrow(ConfigError);
    }
  });

  it("require a second factor of a tenant's users, or stop requiring it", async () => {
    const required = await resultOf(runTenantsSecondFactor("1", "required", by, environment));
    expect(required).toMatchObject({ state: "ACTIVE", secondFactor: "required" });
    expect(printed.err).toContain("can only set one up");
    await resultOf(runTenantsLimit("1", { ...by, rate: "50:100" }, environment));
    expect(await resultOf(runTenantsSecondFactor("1", "required", by, environment))).toEqual({
      ...{ ...required, rateLimit: "50:100" },
    });
    expect(printed.err).toContain("It was already required");
    await resultOf(runTenantsSecondFactor("1", "optional", by, environment));
    expect(await auditNow()).toEqual([
      "Ann: tenants second-factor, optional",
      "Ann: tenants limit, rate 50:100",
      "Ann: tenants second-factor, required",
    ]);
  });

  it.each([
    [() => runTenantsDisable("9", { ...by, reason: "x" }, environment), "there is no tenant 9"],
    [() => runTenantsDisable("x", { ...by, reason: "x" }, environment), "<id>: expected the number of a tenant"],
    [() => runTenantsDisable("1", { ...by, reason: " " }, environment), "--reason: expected"],
    [() => runTenantsSecondFactor("9", "required", by, environment), "there is no tenant 9"],
    [() => runTenantsLimit("1", { ...by, rate: "0" }, environment), "--rate: expected requests a second"],
    [() => runTenantsLimit("1", by, environment), "--rate, --none: expected one of them"],
    [() => runTenantsLimit("1", { ...by, rate: "5", none: true }, environment), "expected one of them"],
  ])("refuse invalid input: %#", async (run, said) => {
    await expect(run()).rejects.toThrow(said);
    expect(ConfigError).toBeDefined();
  });
});

describe("a tenant that is disabled", () => {
  let dashboard: DashboardService;
  let user: SignedIn;
  beforeEach(async () => {
    dashboard = await openDashboardService();
    user = await dashboard.signIn("ann@example.com");
  });
  afterEach(() => dashboard.close());

  const decide = async (disabledAt: number | null) => {
    const { store, credential, clock } = dashboard.service;
    const reason = { disabledReason: "a loop", disabledBy: "Ann", rateLimit: null };
    await store.write((tx) => saveStanding(tx, { tenantId: credential.tenantId, disabledAt, ...reason }));
    await clock.advanceBy(1_000);
  };
  const ask = (secret = dashboard.service.credential.apiSecret) =>
    dashboard.service.call("GET", "/api/v1/merchants", {
      as: { apiKey: dashboard.service.credential.apiKey, apiSecret: secret },
    });
  const signIn = (password: string) =>
    dashboard.ask("POST", "/session", { body: { email: "ann@example.com", password } });

  it("cannot use any key after a second; only callers with the right secret see the reason", async () => {
    expect((await ask()).statusCode).toBe(200);
    await decide(1);
    const refused = await ask();
    expect(refused.statusCode).toBe(401);
    expect(refused.json()).toMatchObject({ code: "credentials_revoked" });
    expect(refused.json().detail).toContain("The operator has disabled this account");
    expect((await ask("mks_wrong")).json().code).toBe("credentials_invalid");
    await decide(null);
    expect((await ask()).statusCode).toBe(200);
  });

  it("has no signed-in users, and their sign-ins are refused like those of unknown users", async () => {
    expect((await dashboard.ask("GET", "/session", { as: user })).status).toBe(200);
    await decide(1);
    expect((await dashboard.ask("GET", "/session", { as: user })).status).toBe(401);
    const [known, wrong] = [await signIn(PASSWORD), await signIn("wrong password entirely")];
    expect([known.status, known.body.detail]).toEqual([wrong.status, wrong.body.detail]);
    await decide(null);
    expect((await signIn(PASSWORD)).status).toBe(200);
  });
});
