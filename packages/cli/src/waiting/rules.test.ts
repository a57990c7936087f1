/** The pure rules of the commands that wait, watch and check. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createNewcomers } from "../commands/alerts-tail/newcomers.ts";
import { createRowStream } from "../commands/alerts-tail/row-stream.ts";
import { readSince } from "../commands/alerts-tail/since.ts";
import { judgeConsent } from "../commands/consent-check/consent-verdict.ts";
import { readContact } from "../commands/consent-check/contact.ts";
import { KNOWN_REASONS, remedyFor } from "../commands/registration-wait/registration-rules.ts";
import { batchLine } from "../commands/tts-watch/batch-line.ts";
import { records } from "../generated/records.ts";
import { readWait, readWaitTimeout, waitFlagsOf } from "../operation/wait-flags.ts";
import { PLAIN } from "../output/text/style.ts";

describe("a batch on one line", () => {
  const summary = { status: "IN_PROGRESS", totalCalls: 300, success: 110, failed: 6, partial: 4, pending: 180 };
  const none = { ...summary, success: 0, failed: 0, partial: 0, pending: 300 };
  it.each<[object, object, number, string]>([
    [none, none, 0, "IN_PROGRESS: 0 of 300 over (0 %)"],
    [
      { ...summary, totalCost: 1.23 },
      none,
      60_000,
      "IN_PROGRESS: 120 of 300 over (40 %), 6 failed, 4 partial, 1.23 USD so far, 90 s left",
    ],
    [
      { ...summary, scheduled: 10, totalCost: 0 },
      none,
      60_000,
      "IN_PROGRESS: 120 of 300 over (40 %), 6 failed, 4 partial, 10 scheduled, 0.00 USD so far",
    ],
    [summary, summary, 60_000, "IN_PROGRESS: 120 of 300 over (40 %), 6 failed, 4 partial"],
    [
      { status: "COMPLETED", totalCalls: 1, success: 1, pending: 0, totalCost: 0.5 },
      none,
      1000,
      "COMPLETED: 1 of 1 over (100 %), 0.50 USD",
    ],
  ])("%j", (view, first, elapsedMs, line) => {
    expect(batchLine(view, { first, elapsedMs })).toBe(line);
  });
});

describe("a reason against sending", () => {
  const contract = parse(readFileSync(new URL("../../../../openapi.yaml", import.meta.url), "utf8"));

  it("is known whichever the contract has", () => {
    expect([...KNOWN_REASONS].sort()).toEqual([...contract.components.schemas.RegistrationBlockingReason.enum].sort());
  });

  it.each([["BRAND_PENDING"], ["CAMPAIGN_PENDING"], ["NUMBER_ASSIGNMENT_PENDING"], ["A_NEW_ONE"], ["toString"]])(
    "%s may pass",
    (reason) => {
      expect(remedyFor(reason)).toBeUndefined();
    },
  );

  it.each(KNOWN_REASONS.filter((reason) => !reason.endsWith("_PENDING")))(
    "%s has a command that mends it",
    (reason) => {
      const commands = [...(remedyFor(reason) ?? "").matchAll(/`msgctl (\w+) (\w+) ([^`]*)`/g)];
      expect(commands.length).toBeGreaterThan(0);
      for (const [, group, name, rest = ""] of commands) {
        const record = Object.values(records).find((each) => each.group === group && each.name === name);
        const inputs = record?.inputs.map((input) => (input.positional ? `<${input.path.at(-1)}>` : `--${input.name}`));
        for (const [flag] of rest.matchAll(/--[a-z-]+/g)) expect([...(inputs ?? []), "--help"]).toContain(flag);
        const positional =
          rest
            .split(" --")[0]
            ?.match(/^(?:<\w+> ?)+/)?.[0]
            .trim()
            .split(" ") ?? [];
        for (const value of positional) expect(inputs).toContain(value);
      }
    },
  );
});

describe("a contact", () => {
  it.each([
    ["+12025550100", { kind: "phone", contact: "+12025550100" }],
    [" +12025550100 ", { kind: "phone", contact: "+12025550100" }],
    ["Mara+Tag@Example.COM", { kind: "email", contact: "mara+tag@example.com" }],
    ["mara@bücher.example", { kind: "email", contact: "mara@xn--bcher-kva.example" }],
    ["12025550100", undefined],
    ["+1 202 555 0100", undefined],
    ["mara", undefined],
    ["mara @example.com", undefined],
    ["mara@example.com/path", undefined],
    ["mara@", undefined],
    ["", undefined],
  ])("%j is %j", (text, contact) => {
    expect(readContact(text)).toEqual(contact);
  });
});

describe("a verdict", () => {
  const question = { merchantId: "m1", channel: "SMS", contact: "+12025550100" };
  const consent = { ...question, status: "OPT_IN", source: "form", updatedAt: "2026-03-01T12:00:00.000Z" };
  const { status, source, updatedAt } = consent;
  it.each<[string, unknown, object]>([
    ["opted in", [consent], { optedIn: true, status, source, updatedAt }],
    ["opted out", [{ ...consent, status: "OPT_OUT" }], { optedIn: false, status: "OPT_OUT", source, updatedAt }],
    [
      "another merchant's, channel's and contact's",
      [
        { ...consent, merchantId: "m2" },
        { ...consent, channel: "VOICE" },
        { ...consent, contact: "+12025550101" },
      ],
      { optedIn: false, status: null, source: null, updatedAt: null },
    ],
    ["a status of tomorrow", [{ ...consent, status: "PAUSED" }], { optedIn: false, status: "PAUSED" }],
    ["no list", null, { optedIn: false, status: null }],
  ])("%s", (_, consents, verdict) => {
    expect(judgeConsent(question, consents)).toMatchObject({ ...question, ...verdict });
  });
});

describe("newcomers", () => {
  it("are told once, the oldest first, and those alike as often as they are there", () => {
    const newcomers = createNewcomers();
    const alert = (id: number) => ({ message: `alert ${id}` });
    expect(newcomers.take([alert(2), alert(1)])).toEqual([alert(1), alert(2)]);
    expect(newcomers.take([alert(2), alert(1)])).toEqual([]);
    expect(newcomers.take([alert(3), alert(2), alert(2), alert(1)])).toEqual([alert(2), alert(3)]);
    expect(newcomers.take([])).toEqual([]);
    expect(newcomers.take([alert(1)])).toEqual([alert(1)]);
  });
});

describe("--since", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  it.each([
    ["90s", "2026-03-01T11:58:30.000Z"],
    ["30m", "2026-03-01T11:30:00.000Z"],
    ["2h", "2026-03-01T10:00:00.000Z"],
    ["1d", "2026-02-28T12:00:00.000Z"],
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2026-01-31T08:00:00+01:00", "2026-01-31T07:00:00.000Z"],
  ])("%s is %s", (text, instant) => {
    const faults: never[] = [];
    expect([readSince(text, now, faults), faults]).toEqual([Date.parse(instant), []]);
  });

  it.each([["yesterday"], ["1w"], ["-1h"], ["2026-02-30"], ["1234567s"], [""]])("refuses %j", (text) => {
    const faults: { where: string; message: string }[] = [];
    expect(readSince(text, now, faults)).toBeUndefined();
    expect(faults).toEqual([{ where: "--since", message: expect.stringContaining(JSON.stringify(text)) }]);
  });

  it("may be left out", () => {
    expect(readSince(undefined, now, [])).toBeUndefined();
  });
});

describe("a stream of rows", () => {
  const columns = ["createdAt", "severity", "merchantId", "message"];
  const samples = { createdAt: "2026-01-31T08:00:00.000Z", severity: "CRITICAL" };
  const rows = (width?: number) => createRowStream(columns, samples, { style: PLAIN, width });
  const alert = { createdAt: "2026-03-01T12:00:00.000Z", severity: "INFO", merchantId: "m1", message: "Half\u001b[2J" };

  it("has columns that no row moves, a long value pushing its own row alone", () => {
    const stream = rows();
    expect([stream.heading(), stream.row(alert), stream.row({ ...alert, merchantId: "a-merchant-of-20-chr" })]).toEqual(
      [
        "createdAt                severity  merchantId    message\n",
        "2026-03-01 12:00:00 UTC  INFO      m1            Half\\u001b[2J\n",
        "2026-03-01 12:00:00 UTC  INFO      a-merchant-of-20-chr  Half\\u001b[2J\n",
      ],
    );
  });

  it("says instants in short where a terminal is narrow", () => {
    expect([rows(80).heading(), rows(80).row(alert)]).toEqual([
      "createdAt          severity  merchantId    message\n",
      "2026-03-01 12:00Z  INFO      m1            Half\\u001b[2J\n",
    ]);
  });

  it("wraps the last column beneath itself, where there is room for it", () => {
    const long = { ...alert, message: "One two three four five six seven eight nine" };
    expect(rows(80).row(long).split("\n")).toEqual([
      "2026-03-01 12:00Z  INFO      m1            One two three four five six seven",
      "                                           eight nine",
      "",
    ]);
    expect(rows(50).row(long).split("\n")).toHaveLength(2);
  });
});

describe("the flags of a wait", () => {
  const recipe = { operation: "getParcel", from: "parcelId", field: "status", until: ["ARRIVED"], failed: [] };

  it("are there for a record with a recipe alone", () => {
    expect(waitFlagsOf({ wait: recipe }).map(({ flags }) => flags)).toEqual(["--wait", "--wait-timeout <seconds>"]);
    expect(waitFlagsOf({})).toEqual([]);
  });

  it.each<[Record<string, unknown>, number | undefined, string[]]>([
    [{}, undefined, []],
    [{ wait: true }, 1_800_000, []],
    [{ wait: true, waitTimeout: "0.5" }, 500, []],
    [{ wait: true, waitTimeout: "604800" }, 604_800_000, []],
    [{ waitTimeout: "5" }, undefined, ["bounds a wait; give --wait as well"]],
  ])("%j", (flags, timeoutMs, messages) => {
    const { wait, faults } = readWait(flags, { wait: recipe });
    expect(wait).toEqual(timeoutMs === undefined ? undefined : { recipe, timeoutMs });
    expect(faults.map(({ message }) => message)).toEqual(messages);
  });

  it.each([["0"], ["-1"], ["604801"], ["1h"], [""]])("refuse %j seconds", (text) => {
    const faults: { where: string; message: string }[] = [];
    readWaitTimeout(text, faults);
    const message = `received ${JSON.stringify(text)}; expected seconds, more than 0 and at most 604800`;
    expect(faults).toEqual([{ where: "--wait-timeout", message }]);
  });
});
