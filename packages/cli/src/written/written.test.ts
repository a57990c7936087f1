import { expect, it } from "vitest";
import { catalog } from "../catalog.ts";
import { msgctl } from "../invented/world.ts";
import { loadWritten, writtenGroups } from "./index.ts";

const entries = writtenGroups.flatMap(({ name, commands }) => commands.map((entry) => ({ group: name, ...entry })));

it("gives a written command its arguments and flags, and those of every command", async () => {
  const { stdout } = await msgctl(["--quiet", "parcels", "look", "7", "--unit", "cm", "-y"]);
  expect(JSON.parse(stdout)).toEqual({ parcelId: "7", flags: { unit: "cm" }, globalFlags: { quiet: true, yes: true } });
});

it("shows a written command's help, and its summary beside the group's other commands", async () => {
  const help = await msgctl(["parcels", "scan", "--help"]);
  for (const said of ["Scans a parcel", "<parcel-id>", "--unit name", "--quiet", "msgctl parcels scan 7 --unit cm"])
    expect(help.stdout).toContain(said);
  expect((await msgctl(["parcels", "--help"])).stdout).toContain("Scan a parcel (also: look)");
});

it.each([
  [["parcels", "scan"], 9, "<parcel-id>: missing: Parcel in view."],
  [["parcels", "scan", "7", "--unitt", "cm"], 2, "did you mean --unit?"],
  [["parcels", "scan", "7", "8"], 2, "too many arguments"],
  [["parcels", "scn", "7"], 2, "did you mean scan?"],
])("refuses %j with %i", async (argv, exitCode, said) => {
  const ended = await msgctl(argv);
  expect(ended).toMatchObject({ exitCode, stdout: "" });
  expect(ended.stderr.toLowerCase()).toContain(said.toLowerCase());
});

it.each(entries)(
  "msgctl $group $name is what its index says, with examples of itself",
  async ({ written, group, name }) => {
    const command = await loadWritten(written);
    expect(command.words).toBe(`${group} ${name}`);
    expect(command.examples.length).toBeGreaterThan(0);
    for (const { argv } of command.examples) expect(argv.join(" ")).toMatch(new RegExp(`^${command.words}\\b`));
    const { exitCode, stdout } = await msgctl([group, name, "--help"], { catalog });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining("EXAMPLES")]);
  },
);

it("has a description for each group of its own", () => {
  const own = writtenGroups.filter(({ name }) => !catalog.index.groups.some((group) => group.name === name));
  for (const { name, description } of own) expect([name, description]).toEqual([name, expect.stringMatching(/\.$/)]);
});
