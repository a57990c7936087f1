// Presence of users as their phones register and unregister.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../development/clocks.ts";
import type { PhoneUser } from "../kind.ts";
import { PhoneWatch } from "./phone-watch.ts";

const contact = "sofia/internal/sip:phone@192.0.2.9:5060";

let clock: VirtualClock;
let users: PhoneUser[];
/** FreeSWITCH's contacts of phones, by name. */
let contacts: Record<string, string>;
let findPhones: () => Promise<{ domain: string | undefined; users: readonly PhoneUser[] }>;
let noted: [string, boolean][];
let warned: string[];
/** If set, called instead of looking up the contacts. */
let asking: (() => Promise<string>) | undefined;
let asked: string[];
let phones: PhoneWatch;

beforeEach(() => {
  clock = createVirtualClock(0);
  users = [
    { sipUsername: "alice", extension: "100", isRegistered: false },
    { sipUsername: "bob", extension: "101", isRegistered: true },
    { sipUsername: "carol", extension: "102", isRegistered: false },
  ];
  contacts = {};
  noted = [];
  warned = [];
  asked = [];
  asking = undefined;
  findPhones = async () => ({ domain: "sip.acme.example", users });
  phones = new PhoneWatch({
    clock,
    surroundings: {
      findPhones: () => findPhones(),
      notePresence: async ({ sipUsername, registered }) => void noted.push([sipUsername, registered]),
    },
    logger: { warn: (_details, text) => void warned.push(text), error: () => {} },
    async ask(command) {
      asked.push(command);
      if (asking !== undefined) return asking();
      const [, name = ""] = /^api sofia_contact (.*)/.exec(command) ?? [];
      return contacts[name] ?? "error/user_not_registered";
    },
  });
});

afterEach(() => phones.stop());

function event(
  subclass: string,
  { user = "alice", host = "sip.acme.example" }: { user?: string; host?: string } = {},
): Promise<void> {
  const from = subclass === "expire" ? { user, host } : { "from-user": user, "from-host": host };
  phones.take({ "Event-Name": "CUSTOM", "Event-Subclass": `sofia::${subclass}`, ...from });
  return clock.settle();
}

/** Starts the watch, waits for the first full look-up, and forgets the changes that it recorded. */
async function startQuietly(): Promise<void> {
  phones.start();
  await clock.settle();
  [noted, asked] = [[], []];
}

describe("a phone", () => {
  beforeEach(async () => {
    contacts = { "bob@sip.acme.example": "sofia/internal/sip:bob@192.0.2.8" };
    await startQuietly();
  });
  const device = "sofia/internal/sip:alice@192.0.2.9:5061";

  it("marks its user as present when it registers", async () => {
    await event("register");
    await event("register", { user: "102" });
    expect(noted).toEqual([
      ["alice", true],
      ["carol", true],
    ]);
  });

  it("marks its user as absent when it unregisters", async () => {
    await event("unregister");
    expect(noted).toEqual([["alice", false]]);
  });

  it.each(["alice", "100"])("keeps its user present if another phone is registered as %s", async (name) => {
    contacts[`${name}@sip.acme.example`] = device;
    await event("unregister");
    expect(noted).toEqual([["alice", true]]);
  });

  it("marks its user as absent when its expired registration is gone", async () => {
    contacts["alice@sip.acme.example"] = device;
    for (let count = 0; count < 3; count += 1) {
      await event("expire");
      await clock.advanceBy(500);
    }
    expect(asked).toEqual([]);
    contacts = {};
    await clock.advanceBy(500);
    expect(noted).toEqual([["alice", false]]);
  });

  it("keeps its user present after it expired if another phone is registered", async () => {
    contacts["alice@sip.acme.example"] = device;
    await event("expire");
    await clock.advanceBy(2_000);
    expect(noted).toEqual([["alice", true]]);
  });

  it("is ignored if it belongs to no user, or to another domain", async () => {
    await event("register", { user: "eve" });
    await event("register", { host: "sip.other.example" });
    expect(noted).toEqual([]);
  });

  it("is ignored if its name could be read as part of a command", async () => {
    await event("unregister", { user: "alice\n\napi shutdown" });
    await event("unregister", { host: "" });
    await event("register", { user: "x".repeat(256) });
    expect([noted, asked]).toEqual([[], []]);
  });

  it("has the state of its latest event", async () => {
    await Promise.all([event("register"), event("unregister"), event("register")]);
    expect(noted.at(-1)).toEqual(["alice", true]);
    await Promise.all([event("register"), event("unregister")]);
    expect(noted.at(-1)).toEqual(["alice", false]);
  });

  it("is recorded without waiting for replies: thousands may register during one look-up", async () => {
    let answer = (_contact: string) => {};
    asking = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    phones.take({ "Event-Subclass": "sofia::unregister", "from-user": "alice", "from-host": "sip.acme.example" });
    for (let index = 0; index < 5_000; index += 1) await event("register", { user: `phone${index}` });
    answer("error/user_not_registered");
    asking = undefined;
    await clock.settle();
    expect(noted).toContainEqual(["alice", false]);
  });
});

describe("a full look-up", () => {
  async function pollNow(): Promise<void> {
    phones.start();
    await clock.settle();
  }

  it("records only the changes that no event reported", async () => {
    contacts = { "alice@sip.acme.example": contact, "102@sip.acme.example": contact, "bob@another.example": contact };
    await pollNow();
    expect(noted).toEqual([
      ["alice", true],
      ["bob", false],
      ["carol", true],
    ]);
  });

  it("records nothing if nothing changed", async () => {
    contacts = { "bob@sip.acme.example": contact };
    await pollNow();
    expect(noted).toEqual([]);
  });

  it("is repeated, because some phones leave without an event", async () => {
    contacts = { "bob@sip.acme.example": contact };
    await pollNow();
    contacts = {};
    await clock.advanceBy(5 * 60_000);
    expect(noted).toEqual([["bob", false]]);
    phones.stop();
    await clock.advanceBy(60 * 60_000);
    expect(noted).toHaveLength(1);
  });

  it("takes an error as proof of neither presence nor absence", async () => {
    asking = async () => "-ERR sofia_contact Command not found!";
    await pollNow();
    expect([noted, warned]).toEqual([[], ["failed to record the presence of a phone"]]);
  });

  it("finds nobody if the tenant has no SIP domain", async () => {
    findPhones = async () => ({ domain: undefined, users });
    await pollNow();
    expect(asked).toEqual([]);
  });

  it("is logged if it fails, and repeated later", async () => {
    const found = findPhones;
    findPhones = () => Promise.reject(new Error("no database"));
    await pollNow();
    expect(warned).toEqual(["failed to record the presence of a phone"]);
    findPhones = found;
    await clock.advanceBy(5 * 60_000);
    expect(noted).toEqual([["bob", false]]);
  });
});
