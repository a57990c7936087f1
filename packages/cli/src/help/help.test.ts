import { describe, expect, it } from "vitest";
import { FORMATS } from "../output/format.ts";
import { compileQuery } from "../output/query/query.ts";
import { msgctl } from "../testing/world.ts";

async function help(argv: readonly string[], terminal?: number): Promise<string> {
  const ended = await msgctl(argv, { terminal, env: { NO_COLOR: "1" } });
  expect([ended.exitCode, ended.stderr]).toEqual([0, ""]);
  return ended.stdout;
}

describe("the help of msgctl", () => {
  it.each([[[]], [["--help"]], [["-h"]], [["help"]], [["--quiet"]]])("shows its groups for %j", async (argv) => {
    const text = await help(argv);
    for (const group of ["parcels", "prices", "labels"])
      expect(text).toContain(`${group.padEnd(9)}All about ${group}.`);
    expect(text).toContain("msgctl parcels send north --kind BOX --phone +12025550100");
  });

  it("prints its version and the contract's", async () => {
    const version = /^msgctl \d+\.\d+\.\d+ \(contract 9\.8\.7\)\n$/;
    expect(await help(["--version"])).toMatch(version);
    expect(await help(["--quiet", "--version"])).toMatch(version);
  });
});

describe("the help of a group", () => {
  it.each([[["parcels"]], [["parcels", "--help"]], [["help", "parcels"]]])(
    "shows its commands for %j",
    async (argv) => {
      const text = await help(argv);
      expect(text).toContain("  send  Send a parcel (also: post)\n  list  List parcels\n");
    },
  );
});

describe("the help of a command", () => {
  it.each([[["parcels", "send", "--help"]], [["help", "parcels", "send"]], [["parcels", "post", "-h"]]])(
    "shows everything in its record for %j",
    async (argv) => {
      const text = await help(argv, 100);
      for (const part of [
        "Send a parcel.\n\nHands a parcel to the depot",
        "Running this command costs money.",
        "USAGE\n  msgctl parcels send <depot-id> <flags>\n",
        "  <depot-id>  Depot that takes the parcel.\n",
        "--kind enum    Form of the parcel. One of BOX, LETTER, TUBE.\n",
        "--phone phone  Who is called. Answers at noon.\n",
        "--weight-grams integer  Weight. At least 1. (default 500)\n",
        "--[no-]fragile          Whether it breaks.\n",
        "--labels string ...     Words on it. At most 5 characters. At most 3 values. May be repeated.\n",
        "--pin-file path         Opens the locker.\n",
        "FIELDS\n  For --columns: parcelId, status, size.litres, pin.\n",
        "EXAMPLES\n  # A box\n  msgctl parcels send north --kind BOX --phone +12025550100\n",
      ]) {
        expect(text).toContain(part);
      }
      expect(text.indexOf("REQUIRED FLAGS")).toBeLessThan(text.indexOf("OPTIONAL FLAGS"));
    },
  );

  it("says which combinations of flags suffice", async () => {
    const text = await help(["prices", "set", "--help"]);
    expect(text).toContain("At least one of --per-unit or --per-gram with --method is required.");
    expect(text).toContain("The effect of this command cannot be undone.");
  });

  it.each([40, 60, 80])("fits into %i columns, except examples", async (columns) => {
    const text = await help(["parcels", "send", "--help"], columns);
    const [set = ""] = text.split("EXAMPLES");
    const tooLong = set.split("\n").filter((line) => line.length > columns && !/^\s+(--|msgctl)/.test(line));
    expect(tooLong).toEqual([]);
  });
});

describe("msgctl help", () => {
  it("explains every exit code", async () => {
    const text = await help(["help", "exit-codes"]);
    for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 130])
      expect(text).toMatch(new RegExp(`^  ${code} +[A-Z]`, "m"));
  });

  it("explains every format, the apostrophes in csv, queries and files", async () => {
    const text = await help(["help", "output"], 80);
    for (const word of [...FORMATS, "apostrophe", "JMESPath", "--out", "--show-secrets"]) expect(text).toContain(word);
    const queries = [...text.matchAll(/ -q "([^"]+)"/g)].map(([, query = ""]) => compileQuery(query));
    expect(await Promise.all(queries)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(text.split("\n").filter((line) => line.length > 80 && !line.startsWith("  msgctl"))).toEqual([]);
  });

  it("explains where credentials come from", async () => {
    const text = await help(["help", "environment"]);
    for (const word of ["MSGCTL_API_KEY", "MSGCTL_BASE_URL", "credentials.json", "npm start"])
      expect(text).toContain(word);
  });
});
