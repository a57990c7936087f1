import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { locateDataFolder } from "../platform/data-folder.ts";
import { describeDemo, describeDocs, describeListenFailure, formatUrl } from "./ready.ts";

describe("the address", () => {
  it.each([
    ["127.0.0.1", "http://127.0.0.1:4800"],
    ["localhost", "http://localhost:4800"],
    ["::1", "http://[::1]:4800"],
  ])("of %s is %s", (host, url) => expect(formatUrl(host, 4800)).toBe(url));
});

it("the output includes the address of the documentation", () => {
  expect(describeDocs("http://127.0.0.1:4800")).toBe(
    "Documentation of every operation and error: http://127.0.0.1:4800/docs\n",
  );
});

describe("the demo", () => {
  const baseUrl = "http://127.0.0.1:4800";
  const plain = { baseUrl, colour: false };
  const commandsOf = (text: string) => text.split("\n").filter((line) => line.includes("npx msgctl"));

  it("shows the credential's file and three commands, short enough for a terminal", () => {
    const text = describeDemo(locateDataFolder(".msgd"), plain);
    expect(text).toContain(`Demo credential: ${join(".msgd", "demo-credential.json")}\n`);
    expect(text).toContain("live: http://127.0.0.1:4800/dashboard\n");
    expect(text).toContain("http://127.0.0.1:4800/control/clock");
    expect(commandsOf(text)).toHaveLength(3);
    for (const command of commandsOf(text)) expect(command).toMatch(/^ {2}npx msgctl .* --profile demo$/);
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  });

  it("recognizes the default folder however its path is written", () => {
    expect(describeDemo(locateDataFolder(resolve(".msgd")), plain)).toContain("--profile demo");
  });

  it("says how to give msgctl a credential in another folder", () => {
    const text = describeDemo(locateDataFolder("elsewhere"), plain);
    expect(text).toContain("MSGCTL_BASE_URL, MSGCTL_API_KEY and MSGCTL_API_SECRET");
    expect(commandsOf(text)).toHaveLength(3);
    expect(text).not.toContain("--profile");
  });

  it("prints the same text in colour", () => {
    const folder = locateDataFolder(".msgd");
    const coloured = describeDemo(folder, { baseUrl, colour: true });
    expect(coloured).not.toBe(describeDemo(folder, plain));
    expect(stripVTControlCharacters(coloured)).toBe(describeDemo(folder, plain));
  });
});

describe("an address that cannot be listened on", () => {
  const failure = (code: string) => Object.assign(new Error("words of the system"), { code });

  it.each([
    ["EADDRINUSE", "port 80 of example is taken: stop what listens there, or choose another with --port"],
    ["EACCES", "no permission to listen on port 80 of example: choose one from 1024 up with --port"],
    ["EADDRNOTAVAIL", 'expected an address of this machine, such as 127.0.0.1 or 0.0.0.0, received "example"'],
    ["ENOTFOUND", 'expected an address of this machine, such as 127.0.0.1 or 0.0.0.0, received "example"'],
    ["EOTHER", "cannot listen on port 80 of example: words of the system"],
  ])("is explained in plain words: %s", (code, words) => {
    expect(describeListenFailure(failure(code), { host: "example", port: 80, hostFlag: "--host" })).toContain(words);
  });
});
