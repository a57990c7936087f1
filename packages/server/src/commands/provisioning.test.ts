import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ProvisioningView } from "../domain/provisioning/operations.ts";
import { listSipUsers } from "../domain/provisioning/rows.ts";
import { databases, openStore } from "../engines.ts";
import { systemClock } from "../platform/clock.ts";
import { exampleProvisioning } from "../testing/provisioning-example.ts";
import type { CommandEnvironment } from "./environment.ts";
import { runProvisioningImport } from "./provisioning.ts";
import { runTenantsCreate } from "./tenants.ts";

const canary = "kW7-harbor-stone-19";

let folder: string;
let data: string;
let file: string;
let printed: string;
let environment: CommandEnvironment;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "msgd-provisioning-"));
  data = join(folder, "data");
  file = join(folder, "provisioning.json");
  printed = "";
  const print = (text: string) => {
    printed += text;
  };
  environment = {
    env: { MSGD_DATA: data },
    output: { out: print, err: print },
    clock: systemClock,
    openStore: (database) => openStore({ database, clock: systemClock }),
    databases,
    fetch,
  };
  await runTenantsCreate("Acme", { output: "json", timezone: "UTC" }, environment);
  printed = "";
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (content: unknown) =>
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
const run = (tenant = "1") => runProvisioningImport(file, { output: "json", tenant }, environment);
const faultsOf = (content: unknown) => {
  write(content);
  return run().then(
    () => {
      throw new Error("the import was to fail");
    },
    (error: Error) => error.message.split("\n").slice(1),
  );
};
const changed = (change: (view: ProvisioningView) => void) => {
  const view = exampleProvisioning(1);
  change(view);
  return view;
};
const usersNow = async () => {
  const store = await openStore({ database: { file: join(data, "msgd.db") }, clock: systemClock });
  try {
    return await store.read((tx) => listSipUsers(tx, 1));
  } finally {
    await store.close();
  }
};

describe("provisioning import", () => {
  it("prints the imported numbers, and names the file of the key", async () => {
    write(exampleProvisioning(1));
    await run();
    const [counts = "", note = ""] = printed.split("\n");
    expect(JSON.parse(counts)).toEqual({ tenantId: "1", sipUsers: 1, phoneNumbers: 1, ringGroups: 1, menus: 1 });
    expect(note).toContain("MSGD_SECRET_KEY");
    expect(statSync(join(data, "secret-key")).mode & 0o777).toBe(0o600);
    expect(printed).not.toContain(canary);
    expect(readFileSync(join(data, "msgd.db")).includes(canary)).toBe(false);
  });

  it("seals with the operator's key, and creates none", async () => {
    environment.env.MSGD_SECRET_KEY = Buffer.alloc(32, 7).toString("base64");
    write(exampleProvisioning(1));
    await run();
    expect(() => statSync(join(data, "secret-key"))).toThrow("ENOENT");
    expect(printed).not.toContain("MSGD_SECRET_KEY");
  });

  it("refuses an invalid key without showing it", async () => {
    environment.env.MSGD_SECRET_KEY = "c2VjcmV0";
    write(exampleProvisioning(1));
    await expect(run()).rejects.toThrow(/^MSGD_SECRET_KEY: expected base64 of 32 bytes(?!.*c2VjcmV0)/);
  });

  it("accepts a file with a byte order mark", async () => {
    write(`\uFEFF${JSON.stringify(exampleProvisioning(1))}`);
    await run();
    expect(await usersNow()).toHaveLength(1);
  });

  it.each(["RING_ALL", "SEQUENTIAL", "ROUND_ROBIN", "LONGEST_IDLE"])(
    "accepts the routing %s",
    async (routingStrategy) => {
      write(changed((view) => void Object.assign(view.ringGroups[0] ?? {}, { routingStrategy })));
      await run();
      expect(await usersNow()).toHaveLength(1);
    },
  );

  it.each([
    ["RING_GROUP", "81"],
    ["USER", "71"],
    ["FORWARD", "+12025550142"],
    ["VOICEMAIL", null],
    ["SUBMENU", "91"],
    ["REPEAT", null],
    ["HANGUP", null],
  ])("accepts the menu action %s", async (fallbackAction, fallbackValue) => {
    write(changed((view) => void Object.assign(view.menus[0] ?? {}, { fallbackAction, fallbackValue })));
    await run();
    expect(await usersNow()).toHaveLength(1);
  });

  it("keeps the previous data if the new file has a fault", async () => {
    write(exampleProvisioning(1));
    await run();
    await faultsOf(changed((view) => void Object.assign(view, { sipUsers: [] })));
    expect(await usersNow()).toMatchObject([{ sipUsername: "dana" }]);
  });

  it("refuses an unknown tenant", async () => {
    write(exampleProvisioning(2));
    await expect(run("2")).rejects.toThrow("there is no tenant 2");
    await expect(run("x")).rejects.toThrow("--tenant: expected the number of a tenant");
  });

  it("does not quote a file that is not JSON", async () => {
    write(`{\n "password": "${canary}" x }`);
    const fault = await run().catch((error: Error) => error.message);
    expect(fault).toMatch(/^the file is not JSON: fault at line 2, column \d+$/);
    write(`{"password": "${canary}`);
    await expect(run()).rejects.not.toThrow(canary);
  });

  it("explains what is wrong with the path", async () => {
    await expect(run()).rejects.toThrow("there is no such file");
    file = folder;
    await expect(run()).rejects.toThrow("it is a folder");
  });

  it("reports that the folder's key is damaged", async () => {
    writeFileSync(join(data, "secret-key"), "short");
    chmodSync(join(data, "secret-key"), 0o600);
    write(exampleProvisioning(1));
    await expect(run()).rejects.toThrow("secret-key is damaged");
  });
});

describe("a file's faults", () => {
  it("are reported all at once, each with its pointer, without showing passwords", async () => {
    const view = exampleProvisioning(1);
    const [dana] = view.sipUsers;
    const faults = await faultsOf({
      ...view,
      tenantId: 9,
      udpPort: 70_000,
      extra: 1,
      sipUsers: [
        dana,
        { ...dana, password: 12345678 },
        { ...dana, userId: 72, sipUsername: "erin", extension: "dana", agentStatus: "ASLEEP", password: `\${canary}` },
      ],
      ringGroups: [
        { ...view.ringGroups[0], routingStrategy: "ALL", members: [{ ...view.ringGroups[0]?.members[0], userId: 99 }] },
      ],
    });
    expect(faults.map((line) => line.split(":", 1)[0])).toEqual([
      "/extra",
      "/sipUsers/1/password",
      "/tenantId",
      "/udpPort",
      "/sipUsers/1/userId",
      "/sipUsers/1/sipUsername",
      "/sipUsers/1/extension",
      "/sipUsers/2/extension",
      "/sipUsers/2/agentStatus",
      "/ringGroups/0/routingStrategy",
      "/ringGroups/0/members/0/userId",
      "/sipUsers/2/password",
    ]);
    expect(faults.join()).not.toMatch(/12345678|canary/);
  });

  const user = (change: object) => changed((view) => void Object.assign(view.sipUsers[0] ?? {}, change));
  const menu = (change: object) => changed((view) => void Object.assign(view.menus[0] ?? {}, change));
  const option = (change: object) => changed((view) => void Object.assign(view.menus[0]?.options[0] ?? {}, change));
  it.each<[string, unknown]>([
    ["/", []],
    ["/", null],
    ["/sipHost", changed((view) => void Object.assign(view, { sipHost: "a b" }))],
    ["/sipDomain", changed((view) => void Object.assign(view, { sipDomain: "a:b" }))],
    ["/wssUrl", changed((view) => void Object.assign(view, { wssUrl: "http://sip.example" }))],
    ["/sipUsers/0/email", user({ email: "nobody" })],
    ["/sipUsers/0/sipUsername", user({ sipUsername: "a@b" })],
    ["/sipUsers/0/sipUsername", user({ sipUsername: `a\${b}` })],
    ["/sipUsers/0/extension", user({ extension: "10 01" })],
    ["/sipUsers/0/password", user({ password: "" })],
    ["/sipUsers/0/password", user({ password: "a\u0000b" })],
    ["/sipUsers/0/forwardNumber", user({ forwardNumber: "12025550143" })],
    ["/phoneNumbers/0/status", changed((view) => void Object.assign(view.phoneNumbers[0] ?? {}, { status: "OPEN" }))],
    [
      "/phoneNumbers/0/capabilities/1",
      changed((view) => void Object.assign(view.phoneNumbers[0] ?? {}, { capabilities: ["SMS", "TELEX"] })),
    ],
    ["/menus/0/fallbackValue", menu({ fallbackAction: "SUBMENU", fallbackValue: "92" })],
    ["/menus/0/fallbackValue", menu({ fallbackAction: "FORWARD", fallbackValue: null })],
    ["/menus/0/afterHoursAction", menu({ afterHoursAction: "SLEEP" })],
    ["/menus/0/businessTimeZone", menu({ businessTimeZone: "Mars/Olympus" })],
    ["/menus/0/businessOpenLocal", menu({ businessOpenLocal: "25:00" })],
    ["/menus/0/businessCloseLocal", menu({ businessCloseLocal: null })],
    ["/menus/0/businessDays/1", menu({ businessDays: ["MONDAY", "MONDAY"] })],
    ["/menus/0/options/0/ringGroupId", option({ ringGroupId: 82 })],
    ["/menus/0/options/0/ringGroupId", option({ ringGroupId: null })],
    ["/menus/0/options/0/userId", option({ actionType: "USER", userId: 99 })],
    ["/menus/0/options/0/digit", option({ digit: "12" })],
    ["/menus/0/options/1/digit", option({ digit: "9" })],
    ["/sipUsers/0/password", user({ password: "a\ud800b" })],
    ["/menus/0/menuName", menu({ menuName: "a\tb" })],
    ["/menus/0/greetingText", menu({ greetingText: "a\u0000b" })],
    ["/menus/0/options/0/label", option({ label: "a\u0085b" })],
  ])("are reported at %s", async (pointer, content) => {
    const faults = await faultsOf(content);
    expect(faults.map((line) => line.split(":", 1)[0])).toEqual([pointer]);
  });

  const many = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index));
  const withUsers = (count: number) => {
    const view = exampleProvisioning(1);
    const [dana] = view.sipUsers;
    if (dana === undefined) throw new Error("nobody to copy");
    const copy = (index: number) => ({ sipUsername: `user-${index}`, extension: String(2_000 + index) });
    return { ...view, sipUsers: many(count, (index) => ({ ...dana, ...copy(index), userId: 71 + index })) };
  };
  const withGroups = (count: number, members: number) => {
    const view = withUsers(members);
    const [group] = view.ringGroups;
    const copied = many(members, (index) => ({ ...group?.members[0], userId: 71 + index }));
    return { ...view, ringGroups: many(count, (index) => ({ ...group, id: 81 + index, members: copied })) };
  };
  const withNumbers = (count: number) => {
    const view = exampleProvisioning(1);
    const copy = (id: number) => ({
      ...view.phoneNumbers[0],
      id: id + 1,
      primary: false,
      e164Number: `+1202555${1_000 + id}`,
    });
    return { ...view, phoneNumbers: many(count, copy) };
  };
  const withMenus = (count: number) => {
    const view = exampleProvisioning(1);
    return { ...view, menus: many(count, (index) => ({ ...view.menus[0], id: 91 + index, primary: false })) };
  };

  it.each([
    ["sipUsers", 1_000, "SIP users", withUsers],
    ["ringGroups", 100, "ring groups", (count: number) => withGroups(count, 10)],
    ["phoneNumbers", 200, "phone numbers", withNumbers],
    ["menus", 50, "menus", withMenus],
  ])("include the number of %s if it exceeds %i", async (name, most, what, make) => {
    expect(await faultsOf(make(most + 1))).toEqual([
      `/${name}: expected at most ${most} ${what}, received ${most + 1}: create another tenant for the others`,
    ]);
    write(make(most));
    await run();
    expect(JSON.parse(printed.split("\n")[0] ?? "")).toMatchObject({ [name]: most });
  });

  it("include the number of members of all ring groups if it exceeds 1000", async () => {
    expect(await faultsOf(withGroups(7, 143))).toEqual([
      "/ringGroups: expected at most 1000 members of ring groups, received 1001: create another tenant for the others",
    ]);
    write(withGroups(10, 100));
    await run();
  });

  it("include a duplicate capability", async () => {
    const capabilities = ["SMS", "VOICE", "SMS"];
    expect(await faultsOf(changed((view) => void Object.assign(view.phoneNumbers[0] ?? {}, { capabilities })))).toEqual(
      ["/phoneNumbers/0/capabilities/2: SMS is named twice"],
    );
  });

  it("name the character of a text that cannot be stored or read", async () => {
    const label = (text: string) => changed((view) => void Object.assign(view.phoneNumbers[0] ?? {}, { label: text }));
    const expected = "/phoneNumbers/0/label: expected no control character and no half of a surrogate pair, received";
    expect(await faultsOf(label("a\u0000b\ud800c"))).toEqual([`${expected} U+0000 as character 2`]);
    expect(await faultsOf(label("\u{1f600}b\ud800c"))).toEqual([`${expected} U+D800 as character 3`]);
    expect(await faultsOf(menu({ voicemailGreetingText: "Hello.\n\udfff" }))).toEqual([
      "/menus/0/voicemailGreetingText: expected no U+0000 and no half of a surrogate pair, received U+DFFF as character 8",
    ]);
  });

  it("do not include line breaks in spoken texts, or unusual but valid characters in names", async () => {
    write(menu({ greetingText: "Hello.\n\tPress 1.", menuName: "\u{1f600} Caf\u00e9\u00a0\ufffd" }));
    await run();
    expect(await usersNow()).toHaveLength(1);
  });

  it("include bytes that are not UTF-8", async () => {
    writeFileSync(file, Buffer.from(JSON.stringify(exampleProvisioning(1)).replace("Main", "Caf\u00e9"), "latin1"), {
      mode: 0o600,
    });
    await expect(run()).rejects.toThrow(`cannot read ${file}: it is not UTF-8`);
  });
});
