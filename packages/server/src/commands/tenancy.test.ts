import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createIds } from "../platform/ids.ts";
import { ConfigError } from "../settings/config.ts";
import { makeCommandEnvironment, type Printed, writeBeside } from "../testing/command-environment.ts";
import { addMessage } from "../testing/messages.ts";
import type { CommandEnvironment } from "./environment.ts";
import { runKeysCreate, runTenantsCreate, runTenantsDisable, runTenantsLimit, runTenantsList } from "./tenants.ts";

let parent: string;
let data: string;
let printed: Printed;
let environment: CommandEnvironment;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "msgd-tenancy-"));
  data = join(parent, "data");
  ({ environment, printed } = makeCommandEnvironment(data));
});
afterEach(() => rmSync(parent, { recursive: true }));

const json = { output: "json" } as const;
const text = { output: "text" } as const;
const createTenant = (name: string, timezone = "UTC") => runTenantsCreate(name, { ...json, timezone }, environment);

describe("tenants create", () => {
  it("prints the id, the name, and whether it is live or test", async () => {
    await createTenant("Acme");
    await runTenantsCreate("Bolt", { ...text, timezone: "America/New_York", test: true }, environment);
    expect(printed.out).toBe(
      '{"tenantId":"1","name":"Acme","mode":"live"}\ntenantId  2\nname      Bolt\nmode      test\n',
    );
  });

  it("says that a live tenant has no carrier, and says nothing for a test tenant", async () => {
    await runTenantsCreate("Acme", { ...text, timezone: "UTC" }, environment);
    expect(printed.err).toContain(
      "It has no carrier for SMS, VOICE, and EMAIL yet. Messages on a channel without a carrier wait",
    );
    expect(printed.err).toContain("msgd carriers set --tenant 1 --channel <channel> --file <file>");
    printed.err = "";
    await runTenantsCreate("Bolt", { ...text, timezone: "UTC", test: true }, environment);
    expect(printed.err).toBe("");
  });

  it.each(["", "  ", "x".repeat(201)])("refuses the name %j, and creates nothing", async (name) => {
    await expect(createTenant(name)).rejects.toThrow(`expected 1 to 200 characters, received ${name.length}`);
    expect(existsSync(data)).toBe(false);
  });

  it("counts a name's characters like the contract", async () => {
    await createTenant("\u{1f600}".repeat(200));
    await expect(createTenant("\u{1f600}".repeat(201))).rejects.toThrow("received 201");
  });

  it.each([
    ["a\nb\x01c", "U+000A as character 2"],
    ["\u{1f600}\u007f", "U+007F as character 2"],
    ["Acme\u0085", "U+0085 as character 5"],
    ["a\ud800", "U+D800 as character 2"],
  ])("refuses the name %j, which a merchant could not have, and creates nothing", async (name, received) => {
    const creating = createTenant(name);
    await expect(creating).rejects.toThrow(ConfigError);
    await expect(creating).rejects.toThrow(
      `<name>: expected no control character and no half of a surrogate pair, received ${received}: remove it`,
    );
    expect(existsSync(data)).toBe(false);
  });

  it("refuses an unknown time zone, and creates nothing", async () => {
    await expect(createTenant("Acme", "Mars/Olympus")).rejects.toThrow(ConfigError);
    expect(existsSync(data)).toBe(false);
  });
});

describe("tenants list", () => {
  it("shows every tenant", async () => {
    await createTenant("Acme", "America/New_York");
    await runTenantsCreate("Bolt", { ...json, timezone: "UTC", test: true }, environment);
    printed.out = "";
    await runTenantsList(text, environment);
    await runTenantsList(json, environment);
    const [acme, bolt, views = ""] = printed.out.split("\n");
    const quiet = "0 keys  0 in a minute, 0 in an hour";
    expect(acme).toBe(
      `1  Acme  (America/New_York)  live  marketing texts 08:00-20:00 to +1  SMS none, VOICE none, EMAIL none  ${quiet}`,
    );
    expect(bolt).toBe(`2  Bolt  (UTC)  test  simulated, test data  ${quiet}`);
    const nothing = {
      ...{ waiting: 0, waitingSince: null, queued: 0, queuedSince: null, acceptedInMinute: 0, acceptedInHour: 0 },
      ...{ state: "ACTIVE", disabledAt: null, disabledReason: null, disabledBy: null, rateLimit: null, keys: 0 },
      secondFactor: "optional",
    };
    expect(JSON.parse(views)).toEqual([
      {
        ...{ tenantId: "1", name: "Acme", timezone: "America/New_York", mode: "live", ...nothing },
        textHours: "08:00-20:00 +1",
        carriers: { SMS: null, VOICE: null, EMAIL: null },
      },
      {
        ...{ tenantId: "2", name: "Bolt", timezone: "UTC", mode: "test", ...nothing },
        textHours: null,
        carriers: { SMS: "simulated", VOICE: "simulated", EMAIL: "simulated" },
      },
    ]);
  });

  it("shows for each tenant its recent sends, backlog, keys, and the operator's decisions", async () => {
    await createTenant("Acme", "UTC");
    await createTenant("Bolt", "UTC");
    await runKeysCreate({ ...json, tenant: "1" }, environment);
    const now = environment.clock.now();
    const newId = createIds();
    await writeBeside(environment, async (tx) => {
      for (const age of [0, 30_000, 120_000, 3_700_000]) {
        const row = { tenantId: 1, merchantId: "default", channel: "SMS", type: "OTP", purpose: "SEND" } as const;
        const content = { recipient: "+12025550100", subject: null, content: "x", units: 0, creditUnits: 0 };
        const at = now - age;
        await addMessage(tx, { ...row, ...content, messageId: newId("msg", at), period: "2026-11-01", now: at });
      }
    });
    const by = { ...json, by: "Ann" };
    await runTenantsDisable("1", { ...by, reason: "a loop" }, environment);
    await runTenantsLimit("1", { ...by, rate: "5:10" }, environment);
    printed.out = "";
    await runTenantsList(json, environment);
    const [acme, bolt] = JSON.parse(printed.out);
    expect(acme).toMatchObject({
      ...{ state: "DISABLED", disabledReason: "a loop", disabledBy: "Ann", rateLimit: "5:10", keys: 1 },
      ...{ acceptedInMinute: 2, acceptedInHour: 3, queued: 4 },
      queuedSince: new Date(now - 3_700_000).toISOString(),
    });
    expect(bolt).toMatchObject({ state: "ACTIVE", acceptedInHour: 0, queued: 0, keys: 0 });
    printed.out = "";
    await runTenantsList(text, environment);
    expect(printed.out).toMatch(
      /^1 .* live {2}DISABLED since \S+Z by Ann: a loop {2}rate 5:10 .* {2}1 key {2}2 in a minute, 3 in an hour, 4 queued since \S+Z\n/,
    );
  });

  it("says so on stderr if there are none", async () => {
    const store = await environment.openStore({ file: join(data, "msgd.db") });
    await store.close();
    await runTenantsList(text, environment);
    expect(printed).toEqual({ out: "", err: "There is no tenant yet: create one with msgd tenants create <name>\n" });
    await runTenantsList(json, environment);
    expect(printed.out).toBe("[]\n");
  });

  it("does not create a folder for a mistyped name", async () => {
    await expect(runTenantsList(text, environment)).rejects.toThrow(
      `there is no data of msgd in ${data}: name the folder`,
    );
    expect(existsSync(data)).toBe(false);
  });
});

describe("keys create", () => {
  it("prints the credential, and says on stderr that it is shown only once", async () => {
    await createTenant("Acme");
    printed.out = "";
    await runKeysCreate({ ...json, tenant: "1", merchant: "default" }, environment);
    expect(JSON.parse(printed.out)).toEqual({
      apiKey: expect.stringMatching(/^mkm_live_/),
      apiSecret: expect.any(String),
      tenantId: "1",
      merchantId: "default",
    });
    expect(printed.err).toContain("not shown again");
  });

  it("creates keys that show whether the tenant is live or test", async () => {
    await createTenant("Acme");
    await runTenantsCreate("Bolt", { ...json, timezone: "UTC", test: true }, environment);
    printed.out = "";
    for (const tenant of ["1", "2"]) await runKeysCreate({ ...json, tenant }, environment);
    const prefixes = printed.out.match(/mk[tm]_[a-z]+_/g);
    expect(prefixes).toEqual(["mkt_live_", "mkt_test_"]);
  });

  it.each(["abc", "0", "-1", "1.5", "", "9".repeat(17)])("refuses %j as a tenant's number", async (tenant) => {
    const creating = runKeysCreate({ ...json, tenant }, environment);
    await expect(creating).rejects.toThrow(ConfigError);
    await expect(creating).rejects.toThrow(`received "${tenant}": msgd tenants list shows them`);
  });

  it.each(["", "a b", "é", "x".repeat(65)])("refuses %j as a name", async (name) => {
    await createTenant("Acme");
    const creating = runKeysCreate({ ...json, tenant: "1", name }, environment);
    await expect(creating).rejects.toThrow(
      `--name: expected 1 to 64 letters, digits, dots, underscores and hyphens, received "${name}"`,
    );
  });

  it("refuses an unknown tenant or merchant", async () => {
    await createTenant("Acme");
    const forTenant = runKeysCreate({ ...json, tenant: "9" }, environment);
    await expect(forTenant).rejects.toThrow("there is no tenant 9: msgd tenants list shows them");
    const forMerchant = runKeysCreate({ ...json, tenant: "1", merchant: "nobody" }, environment);
    await expect(forMerchant).rejects.toThrow("tenant 1 has no merchant nobody");
  });

  it("does not create a folder for a mistyped name", async () => {
    await expect(runKeysCreate({ ...json, tenant: "1" }, environment)).rejects.toThrow("there is no data of msgd");
    expect(existsSync(data)).toBe(false);
  });
});
