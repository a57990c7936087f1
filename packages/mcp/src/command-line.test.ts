import { describe, expect, it } from "vitest";
import { help, LineError, readLine } from "./command-line.ts";

const DEFAULTS = {
  ...{ profile: undefined, baseUrl: undefined, allow: [], allowBillable: false, merchant: undefined, maxSends: 20 },
  ...{ showContacts: false, yes: false, timeoutMs: 60_000, httpPort: undefined },
};

it("without arguments, tools only read, over standard input and output", () => {
  expect(readLine([])).toEqual(DEFAULTS);
});

it("every flag is read", () => {
  const line =
    "--profile demo --base-url http://127.0.0.1:1 --allow send,tts --allow-billable --merchant a --max-sends 0 --show-contacts -y --timeout 5 --http 0";
  expect(readLine(line.split(" "))).toEqual({
    ...{ profile: "demo", baseUrl: "http://127.0.0.1:1", allow: ["send", "tts"], allowBillable: true, merchant: "a" },
    ...{ maxSends: 0, showContacts: true, yes: true, timeoutMs: 5_000, httpPort: 0 },
  });
});

it("--allow all names every group that has a tool that writes", () => {
  expect(readLine(["--allow", "all"])).toMatchObject({ allow: expect.arrayContaining(["send", "simulator"]) });
  expect(readLine(["--allow", "all"])).not.toMatchObject({ allow: expect.arrayContaining(["reports"]) });
});

describe("a wrong line", () => {
  it.each([
    ["--pigeon", "--pigeon: unknown flag"],
    ["serve", 'expected flags only, received "serve"'],
    ["--allow pigeons", '--allow: expected "all" or some of merchants, consent'],
    ["--max-sends -1", "--max-sends: expected"],
    ["--max-sends 10001", '--max-sends: expected a whole number from 0 to 10000, received "10001"'],
    ["--timeout 0", '--timeout: expected a whole number from 1 to 300, received "0"'],
    ["--http 65536", '--http: expected a whole number from 0 to 65535, received "65536"'],
    ["--merchant", "--merchant: expected a value, received nothing"],
    ["--yes=no", '--yes: takes no value, received "no"'],
    ["--yes --yes", "--yes: expected once, received twice"],
    ["--allow-billable", "--allow-billable: expected with --allow"],
  ])("%s is refused", (line, message) => {
    expect(() => readLine(line.split(" "))).toThrow(LineError);
    expect(() => readLine(line.split(" "))).toThrow(message);
  });

  it("reports all faults at once", () => {
    expect(() => readLine(["--pigeon", "--http", "x"])).toThrow(/--pigeon.*\n--http/);
  });
});

it("the help fits a terminal", () => {
  expect(Math.max(...help.split("\n").map((line) => line.length))).toBeLessThanOrEqual(110);
  expect([readLine(["-h"]), readLine(["--allow", "x", "--version"])]).toEqual(["help", "version"]);
});
