import { describe, expect, it } from "vitest";
import { help, LineError, type MockLine, readLine } from "./command-line.ts";

const defaults: MockLine = { mode: "stateful", host: "127.0.0.1", port: 4010, now: undefined };

it.each<[line: string, read: object]>([
  ["", {}],
  ["stateful", {}],
  ["prism --port 0", { mode: "prism", port: 0 }],
  ["--port=4011 stateful", { port: 4011 }],
  ["--host ::1", { host: "::1" }],
  ["--now 2026-01-15T12:00:00Z", { now: Date.UTC(2026, 0, 15, 12) }],
  ["--now 2026-01-15T12:00+01:00", { now: Date.UTC(2026, 0, 15, 11) }],
])("reads %j", (line, read) => {
  expect(readLine(line.split(" ").filter(Boolean))).toEqual({ ...defaults, ...read });
});

it.each([
  ["-h", "help"],
  ["prism --help", "help"],
  ["-V", "version"],
  ["--version --port x", "version"],
])("answers %j with the %s", (line, answer) => expect(readLine(line.split(" "))).toBe(answer));

describe("a refusal", () => {
  it.each([
    ["statefull", 'expected stateful or prism, received "statefull"'],
    ["stateful prism", 'expected one word at most, received "prism" after "stateful"'],
    ["--port 65536", '--port: expected 0 to 65535, received "65536"'],
    ["--port -1", '--port: expected 0 to 65535, received "-1"'],
    ["--port", '--port: expected 0 to 65535, received ""'],
    ["--port 1 --port 2", "--port: expected once, received twice"],
    ["--host=", "--host: expected an address of this machine, such as 127.0.0.1, received nothing"],
    ["--now tomorrow", '--now: expected a time from 1970 to 9998 such as 2026-01-15T12:00:00Z, received "tomorrow"'],
    [
      "--now 2026-01-15",
      '--now: expected a time from 1970 to 9998 such as 2026-01-15T12:00:00Z, received "2026-01-15"',
    ],
    ["prism --now 2026-01-15T12:00:00Z", "--now: expected with stateful only, because prism has no clock"],
    ["--dev", "--dev: unknown flag; expected one of --port, --host, --now, --help, --version"],
    ["-p 1", "-p: unknown flag; expected one of --port, --host, --now, --help, --version"],
  ])("%j", (line, words) => {
    expect(() => readLine(line.split(" "))).toThrow(LineError);
    expect(() => readLine(line.split(" "))).toThrow(words);
  });

  it("names all faults at once", () => {
    const faults = ["--foo: unknown flag", "expected stateful or prism", "--port: expected", "--now: expected a time"];
    for (const fault of faults) expect(() => readLine(["--foo", "x", "--port=x", "--now=x"])).toThrow(fault);
  });
});

it("explains every flag in its help", () => {
  for (const flag of ["--port", "--host", "--now", "--help", "--version"]) expect(help).toContain(flag);
  for (const line of help.split("\n")) expect(line.length).toBeLessThanOrEqual(105);
});
