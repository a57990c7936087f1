import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { afterEach, expect, it, vi } from "vitest";
import type { Setting } from "../settings/setting.ts";
import { settings } from "../settings/settings.ts";
import * as restoring from "./backup.ts";
import { createProgram, type ProgramOptions } from "./program.ts";

const VARIABLE = /\b(?:MSGD_[A-Z_]+|DATABASE_URL)\b/g;

const program = createProgram("1.2.3", {} as ProgramOptions);

afterEach(() => vi.restoreAllMocks());

/** Returns the help text of a command. */
function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text;
}

it("msgd has these commands", () => {
  const names = (command: Command): string[] =>
    command.commands.flatMap((each) =>
      each.commands.length === 0 ? [each.name()] : names(each).map((name) => `${each.name()} ${name}`),
    );
  expect(names(program).sort()).toEqual([
    "backup",
    "callbacks list",
    "callbacks remove",
    "callbacks secret",
    "callbacks set",
    "callbacks show",
    "callbacks test",
    "carriers list",
    "carriers remove",
    "carriers set",
    "carriers show",
    "carriers test",
    "keys create",
    "keys list",
    "keys revoke",
    "keys rotate",
    "messages cancel",
    "messages list",
    "messages settle",
    "messages show",
    "migrate",
    "payments list",
    "payments settle",
    "payments show",
    "processors remove",
    "processors set",
    "processors show",
    "processors test",
    "provisioning import",
    "recipients erase",
    "recipients export",
    "recipients show",
    "recipients unsuppress",
    "registrations list",
    "registrations review",
    "restore",
    "secrets reseal",
    "serve",
    "tenants create",
    "tenants disable",
    "tenants enable",
    "tenants limit",
    "tenants list",
    "tenants second-factor",
    "tenants text-hours",
    "texts list",
    "transfer",
    "users create",
    "users disable",
    "users list",
    "users reset",
    "verify",
  ]);
});

it("the help of serve documents every variable", () => {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  const named = files.flatMap((file) => readFileSync(join(folder, file), "utf8").match(VARIABLE) ?? []);
  expect(named).toContain("MSGD_PORT");
  const serve = program.commands.find((command) => command.name() === "serve") as Command;
  const told = new Set(helpOf(serve).match(VARIABLE));
  expect([...new Set(named)].filter((name) => !told.has(name))).toEqual([]);
  expect([...told].sort()).toEqual(
    Object.values<Setting<unknown>>(settings)
      .flatMap(({ variable = [] }) => variable)
      .sort(),
  );
});

it.each([[["restore"]], [["restore", "--mark", "backup.db"]]])(
  "msgd refuses %j, since restore takes either a file or --mark",
  async (words) => {
    const restored: unknown[] = [];
    const note = async (...given: unknown[]) => void restored.push(given.slice(0, -1));
    vi.spyOn(restoring, "runRestore").mockImplementation(note);
    vi.spyOn(restoring, "runRestoreMark").mockImplementation(note);
    const strict = createProgram("1.2.3", {} as ProgramOptions);
    const restore = strict.commands.find((command) => command.name() === "restore") as Command;
    restore.exitOverride().configureOutput({ writeErr: () => {} });
    await expect(strict.parseAsync(words, { from: "user" })).rejects.toThrow("expected <file> or --mark, one of them");
    await strict.parseAsync(["restore", "--mark"], { from: "user" });
    await strict.parseAsync(["restore", "backup.db"], { from: "user" });
    expect(restored).toEqual([[{ mark: true }], ["backup.db", {}]]);
  },
);

it("the help describes every command, argument and flag", () => {
  const undescribed = (command: Command): string[] => [
    ...(command.description() === "" ? [command.name()] : []),
    ...command.options.filter(({ description }) => description === "").map(({ flags }) => flags),
    ...command.registeredArguments.filter(({ description }) => description === "").map((argument) => argument.name()),
    ...command.commands.flatMap(undescribed),
  ];
  expect(undescribed(program)).toEqual([]);
});
