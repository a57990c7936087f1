// Who is present, as phones register and leave.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../../development/virtual-clock.ts";
import { PhoneWatch } from "./phone-watch.ts";
import type { PhoneUser } from "./surroundings.ts";

let clock: VirtualClock;
let users: PhoneUser[];
/** The contacts of phones by their names, as FreeSWITCH has them. */
let contacts: Record<string, string>;
let findPhones: () => Promise<{ domain: string | undefined; users: readonly PhoneUser[] }>;
let noted: [string, boolean][];
let warned: string[];
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
  return phones.take({ "Event-Name": "CUSTOM", "Event-Subclass": `sofia::${subclass}`, ...from });
}

describe("a phone", () => {
  it("that registers makes its user present", async () => {
    await event("register");
    expect(noted).toEqual([["alice@sip.acme.example", true]]);
  });

  it("that leaves makes its user absent", async () => {
    await event("unregister");
    expect(noted).toEqual([["alice@sip.acme.example", false]]);
  });

  it("that leaves makes nobody absent who has another", async () => {
    contacts["alice@sip.acme.example"] = "sofia/internal/sip:alice@192.0.2.9:5061";
    await event("unregister");
    expect(noted).toEqual([["alice@sip.acme.example", true]]);
  });

  it("whose registration expires makes its user absent once that is gone", async () => {
    contacts["alice@sip.acme.example"] = "sofia/internal/sip:alice@192.0.2.9:5061";
    await event("expire");
    await event("expire");
    expect(asked).toEqual([]);
    contacts = {};
    await clock.advanceBy(2_000);
    expect([noted, asked.length]).toEqual([[["alice@sip.acme.example", false]], 1]);
  });

  it("whose registration expires makes nobody absent who has another", async () => {
    contacts["alice@sip.acme.example"] = "sofia/internal/sip:alice@192.0.2.9:5061";
    await event("expire");
    await clock.advanceBy(2_000);
    expect(noted).toEqual([["alice@sip.acme.example", true]]);
  });

  it("that calls itself what a command could take for more is left out", async () => {
    await event("unregister", { user: "alice\n\napi shutdown" });
    await event("unregister", { host: "" });
    await event("register", { user: "x".repeat(256) });
    expect([noted, asked]).toEqual([[], []]);
  });

  it("is recorded after the one that was seen before it", async () => {
    await Promise.all([event("register"), event("unregister"), event("register")]);
    expect(noted.map(([, registered]) => registered)).toEqual([true, false, true]);
  });
});

describe("a look at all", () => {
  async function lookNow(): Promise<void> {
    phones.start();
    await clock.settle();
  }

  it("records who came and who left while nobody listened, and nobody else", async () => {
    contacts = { "alice@sip.acme.example": "", "102@sip.acme.example": "", "bob@another.example": "" };
    await lookNow();
    expect(noted).toEqual([
      ["alice", true],
      ["bob", false],
      ["carol", true],
    ]);
  });

  it("has nothing to record where nothing changed", async () => {
    contacts = { "bob@sip.acme.example": "" };
    await lookNow();
    expect(noted).toEqual([]);
  });

  it("comes again: some leave without a word", async () => {
    contacts = { "bob@sip.acme.example": "" };
    await lookNow();
    contacts = {};
    await clock.advanceBy(5 * 60_000);
    expect(noted).toEqual([["bob", false]]);
    phones.stop();
    await clock.advanceBy(60 * 60_000);
    expect(noted).toHaveLength(1);
  });

  it("is at nobody where nothing was provisioned", async () => {
    findPhones = async () => ({ domain: undefined, users });
    await lookNow();
    expect(asked).toEqual([]);
  });

  it("that fails is said, and is followed by the next", async () => {
    const found = findPhones;
    findPhones = () => Promise.reject(new Error("no database"));
    await lookNow();
    expect(warned).toEqual(["the presence of a phone was not recorded"]);
    findPhones = found;
    await clock.advanceBy(5 * 60_000);
    expect(noted).toEqual([["bob", false]]);
  });
});
