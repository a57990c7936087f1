/** Tests questions at a terminal with whole command lines: the prompts, the requests, and the output. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { withChecksum } from "../call/access/credential-form.ts";
import { catalog } from "../catalog.ts";
import { formatInputName } from "../flags/input-name.ts";
import { records } from "../generated/records.ts";
import type { Input } from "../model/record.ts";
import { folder, msgctl, reply, SECRET, service, type World } from "../testing/world.ts";

const ENTER = "\r";
const DOWN = "\u001b[B";
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const CTRL_Z = "\u001a";
/** The sequence that msgctl writes before the shell gets the terminal back. */
const TO_SHELL = "\u001b[?25h\n";

type Dialogue = World["dialogue"];

/** Runs a command at a terminal with a user who types. Without a dialogue, standard input is not a terminal. */
async function talk(argv: readonly string[], dialogue: Dialogue | undefined, world: Partial<World> = {}) {
  const { env, received } = await service((response) => reply(response, 200, { parcelId: "p1", status: "TAKEN" }));
  const given = {
    terminal: 100,
    ...(dialogue && { dialogue }),
    ...world,
    env: { NO_COLOR: "1", ...env, ...world.env },
  };
  const ended = await msgctl(argv, given);
  return { ...ended, received, bodies: received.map(({ body }) => (body === "" ? undefined : JSON.parse(body))) };
}

/** Simulates that the process is stopped and continued with fg. */
function stopUntilContinued(onStop: () => () => void = () => () => {}) {
  const stop = vi.spyOn(process, "kill").mockImplementation(() => {
    const onContinued = onStop();
    process.emit("SIGCONT", "SIGCONT");
    onContinued();
    return true;
  });
  onTestFinished(() => stop.mockRestore());
  return stop;
}

const whole = ["parcels", "send", "north", "--kind", "BOX", "--phone", "+12025550100"];
/** Matches the output of a send without a question. */
const ONLY_KEY = /^(?:Idempotency key \S+ Check it again with `msgctl parcels get p1`\.\n)?$/;
const yes: Dialogue[number] = ["Go ahead?", `y${ENTER}`];

describe("missing values", () => {
  it("are asked for in the record's order, sent, and shown as a command line for a script", async () => {
    const { exitCode, stdout, stderr, received, bodies } = await talk(
      ["parcels", "send", "--weight-grams", "20", "-o", "json"],
      [["depot-id", `north${ENTER}`], ["kind", DOWN + ENTER], ["phone", `+12025550100${ENTER}`], yes],
    );
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { parcelId: "p1", status: "TAKEN" }]);
    expect(received[0]?.url).toBe("/depots/north/parcels");
    expect(bodies).toEqual([{ kind: "LETTER", weightGrams: 20, contact: { phone: "+12025550100" } }]);
    expect(stderr).toContain(
      "The same without questions:\n" +
        "  msgctl parcels send north --kind LETTER --phone +12025550100 --weight-grams 20 --output json\n",
    );
  });

  it("are checked as they are typed, with their description shown once", async () => {
    const wrong: Dialogue = [
      ["phone", `12025550100${ENTER}`],
      ["Expected a phone number in E.164 form", `${"\u007f".repeat(11)}+12025550100${ENTER}`],
    ];
    const argv = ["parcels", "send", "north", "--kind", "BOX", "-y"];
    const { exitCode, stderr, bodies } = await talk(argv, wrong);
    expect([exitCode, bodies]).toEqual([0, [{ kind: "BOX", contact: { phone: "+12025550100" } }]]);
    expect(stderr.split("Who is called. Answers at noon.")).toHaveLength(2);
  });

  it("cannot be empty", async () => {
    const argv = ["parcels", "send", "north", "--kind", "BOX", "-y"];
    const { stderr, received } = await talk(argv, [
      ["phone", ENTER],
      ["--phone is required", CTRL_C],
    ]);
    expect(stderr).toContain("type a value");
    expect(received).toEqual([]);
  });

  it("are asked for after a choice if one of several sets is needed", async () => {
    const { exitCode, bodies } = await talk(
      ["prices", "set", "-y"],
      [
        ["Which will you give?", DOWN + ENTER],
        ["per-gram", `0.5${ENTER}`],
        ["? method", `card${ENTER}`],
      ],
    );
    expect([exitCode, bodies]).toEqual([0, [{ perGram: 0.5, method: "card" }]]);
  });

  it.each([
    ["Ctrl-C", CTRL_C],
    ["Ctrl-D", CTRL_D],
  ])("are no longer asked for after %s, and nothing is sent", async (_, key) => {
    const { exitCode, stdout, stderr, received } = await talk(["parcels", "send"], [["depot-id", key]]);
    expect([exitCode, stdout, received]).toEqual([130, "", []]);
    expect(stderr).toContain("error: interrupted; nothing was sent\n");
    expect(stderr).not.toContain("The same without questions");
  });

  it("are no longer asked for after a signal interrupts", async () => {
    const interruption = new AbortController();
    const ended = talk(["parcels", "send"], [["depot-id", "nor"]], { signal: interruption.signal });
    setImmediate(() => interruption.abort());
    expect((await ended).exitCode).toBe(130);
    const terminated = { signal: AbortSignal.abort(), interruptedExitCode: 143 } as const;
    const { exitCode, stderr } = await talk(["parcels", "send", "-o", "json"], [["depot-id", "nor"]], terminated);
    expect([exitCode, JSON.parse(stderr.slice(stderr.indexOf("{"))).exitCode]).toEqual([143, 143]);
  });

  it("are still asked for after Ctrl-Z and fg, which redraws the question and the typed text", async () => {
    const drawnAgain: string[] = [];
    const stop = stopUntilContinued(() => {
      const before = written.length;
      return () => drawnAgain.push(written.slice(before));
    });
    let written = "";
    const argv = ["parcels", "send", "--kind", "BOX", "--phone", "+12025550100", "-y"];
    const { exitCode, received } = await talk(
      argv,
      [
        ["depot-id", `nor${CTRL_Z}`],
        [TO_SHELL, CTRL_Z],
        [TO_SHELL, `th${ENTER}`],
      ],
      { onWrite: (_, text) => (written += text) },
    );
    expect([exitCode, received[0]?.url]).toEqual([0, "/depots/north/parcels"]);
    expect(stop.mock.calls).toEqual([
      [process.pid, "SIGTSTP"],
      [process.pid, "SIGTSTP"],
    ]);
    expect(drawnAgain).toEqual([expect.stringContaining("depot-id nor"), expect.stringContaining("depot-id nor")]);
    expect(process.listenerCount("SIGCONT")).toBe(0);
  });

  it("keep the choice made before Ctrl-Z", async () => {
    stopUntilContinued();
    const { exitCode, bodies } = await talk(
      ["parcels", "send", "north", "--phone", "+12025550100", "-y"],
      [
        ["kind", DOWN],
        ["❯ LETTER", CTRL_Z],
        [TO_SHELL, ENTER],
      ],
    );
    expect([exitCode, bodies[0]?.kind]).toEqual([0, "LETTER"]);
  });

  it("are no longer asked for on Ctrl-D after Ctrl-Z and fg", async () => {
    stopUntilContinued();
    const { exitCode } = await talk(
      ["parcels", "send"],
      [
        ["depot-id", CTRL_Z],
        [TO_SHELL, CTRL_D],
      ],
    );
    expect(exitCode).toBe(130);
  });

  it("are reported, not asked for, together with an invalid value", async () => {
    const { exitCode, stderr } = await talk(["parcels", "send", "--kind", "BAG"], []);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("<depot-id>: missing");
  });

  it.each<[string, string[], Partial<World>]>([
    ["--no-input", ["--no-input"], {}],
    ["continuous integration", [], { env: { CI: "true" } }],
    ["standard error redirected", [], { terminal: undefined }],
  ])("are reported, not asked for, with %s", async (_, flags, world) => {
    const { exitCode, stderr, received } = await talk(["parcels", "send", ...flags], [], world);
    expect([exitCode, received]).toEqual([9, []]);
    for (const name of ["<depot-id>", "--kind", "--phone"]) expect(stderr).toContain(`${name}: missing`);
  });

  it("are not asked for if no address is configured", async () => {
    const { exitCode, stderr } = await msgctl(["parcels", "send"], { terminal: 100, dialogue: [] });
    expect(exitCode).toBe(3);
    expect(stderr).not.toContain("depot-id");
  });

  it("are asked for in colour unless colour is turned off", async () => {
    const coloured = await talk(["parcels", "send"], [["depot-id", CTRL_C]], { env: { NO_COLOR: undefined } });
    expect(coloured.stderr).toMatch(/\p{Cc}\[\d+m/u);
    for (const flags of [[], ["--no-color"]]) {
      const env = flags.length === 0 ? {} : { NO_COLOR: undefined };
      const { stderr } = await talk(["parcels", "send", ...flags], [["depot-id", CTRL_C]], { env });
      expect(stderr).not.toMatch(/\p{Cc}\[\d+m/u);
    }
  });

  it("are asked for with --quiet, which omits the command line for a script", async () => {
    const argv = ["parcels", "send", "--kind", "BOX", "--phone", "+12025550100", "-y", "--quiet"];
    const { exitCode, stderr } = await talk(argv, [["depot-id", `north${ENTER}`]]);
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain("The same without questions");
  });
});

describe.each<[string, Record<string, string | undefined>]>([
  ["a dumb terminal", { TERM: "dumb" }],
  ["a terminal without TERM", { TERM: undefined }],
  ["the C locale", { LC_ALL: "C" }],
])("at %s, questions", (_, env) => {
  const skipped = process.platform === "win32" && env.TERM === undefined;
  // no escape sequence, no symbol, no carriage return
  const PLAIN_TEXT = /^[\n\x20-\x7e]*$/;

  it.skipIf(skipped)("are plain lines, with choices by number or word", async () => {
    const { exitCode, stderr, received, bodies } = await talk(
      ["parcels", "send"],
      [
        ["depot-id:", "north\n"],
        ["kind (1 to 3):", "7\n"],
        ["Type a number from 1 to 3", "letter\n"],
        ["phone:", "12025550100\n"],
        ["Expected a phone number in E.164 form", "+12025550100\n"],
        ["Go ahead? (y/N)", "perhaps\n"],
        ["Type y or n.", "y\n"],
      ],
      { env: { ...env, NO_COLOR: undefined } },
    );
    expect([exitCode, received[0]?.url]).toEqual([0, "/depots/north/parcels"]);
    expect(bodies).toEqual([{ kind: "LETTER", contact: { phone: "+12025550100" } }]);
    expect(stderr).toContain("  1. BOX\n  2. LETTER\n  3. TUBE\nkind (1 to 3): ");
    expect(stderr).toMatch(PLAIN_TEXT);
  });

  it.skipIf(skipped).each<[string, string]>([
    ["no", "n\n"],
    ["Enter alone", "\n"],
  ])("treat %s as no", async (_, keys) => {
    const { exitCode, received } = await talk(whole, [["Go ahead? (y/N)", keys]], { env });
    expect([exitCode, received]).toEqual([130, []]);
  });
});

describe("a hidden answer at a dumb terminal", () => {
  const argv = [
    "auth",
    "login",
    "--base-url",
    "http://127.0.0.1:9",
    "--api-key",
    withChecksum("mkt_test_canary00000000000000a0"),
  ];
  const hidden = (steps: Dialogue) => talk(argv, steps, { catalog, env: { TERM: "dumb", MSGCTL_API_KEY: undefined } });

  it("can be edited, survives Ctrl-Z, and is never echoed", async () => {
    const stop = stopUntilContinued();
    const { stderr } = await hidden([
      ["(not shown):", `wrongX\u007f\u0015mks_canary${CTRL_Z}`],
      ["(not shown):", `\b\bry0${ENTER}`],
      ["Expected mks_", CTRL_D],
    ]);
    expect(stop.mock.calls).toEqual([[process.pid, "SIGTSTP"]]);
    expect(stderr).not.toMatch(/canar|wrong/);
    expect(stderr).toContain("interrupted; nothing was sent");
    expect(process.listenerCount("SIGCONT")).toBe(0);
  });
});

it("a line-by-line question ends when a signal interrupts", async () => {
  const interruption = new AbortController();
  const ended = talk(["parcels", "send"], [["depot-id:", "nor"]], {
    env: { TERM: "dumb" },
    signal: interruption.signal,
    onWrite: (_, text) => text.includes("depot-id:") && interruption.abort(),
  });
  const { exitCode, stderr } = await ended;
  expect([exitCode, stderr]).toEqual([130, expect.stringContaining("interrupted; nothing was sent")]);
});

describe("a billable or irreversible operation", () => {
  it("is shown and confirmed before it is sent", async () => {
    const { exitCode, stderr, received } = await talk(whole, [yes]);
    expect([exitCode, received.length]).toEqual([0, 1]);
    expect(stderr).toMatch(/^Send a parcel, at http:\/\/127\.0\.0\.1:\d+:\n {2}depot-id {2}north\n {2}kind {6}BOX\n/);
    expect(stderr).toContain("This is charged to the account.\n");
    expect(stderr).not.toContain("The same without questions");
  });

  it.each([
    ["no", `n${ENTER}`, "not confirmed; nothing was sent"],
    ["Enter alone", ENTER, "not confirmed; nothing was sent"],
    ["Ctrl-C", CTRL_C, "interrupted; nothing was sent"],
  ])("is not done after %s", async (_, keys, message) => {
    const { exitCode, stdout, stderr, received } = await talk(whole, [["Go ahead?", keys]]);
    expect([exitCode, stdout, received]).toEqual([130, "", []]);
    expect(stderr).toContain(`error: ${message}\n`);
  });

  it("is announced as irreversible if it is", async () => {
    const { exitCode, stderr } = await talk(["prices", "set", "--per-unit", "1"], [yes]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain("This cannot be undone.\n");
  });

  it("is not done if it is irreversible and nobody can be asked, unless -y is given", async () => {
    const argv = ["prices", "set", "--per-unit", "1"];
    for (const flags of [[], ["--no-input"]]) {
      const { exitCode, stderr, received } = await talk([...argv, ...flags], undefined, { terminal: undefined });
      expect([exitCode, received]).toEqual([9, []]);
      expect(stderr).toContain('error: "Set a price" cannot be undone');
      expect(stderr).toContain("hint: Give -y");
    }
    const { exitCode, received } = await talk([...argv, "-y"], undefined, { terminal: undefined });
    expect([exitCode, received.length]).toEqual([0, 1]);
  });

  it.each(["brand", "campaign"])("includes submissions to the carriers' review: registration %s", async (name) => {
    const record = Object.values(records).find((each) => each.group === "registration" && each.name === name);
    const argv = record?.examples[0]?.argv ?? [];
    const { exitCode, stderr, received } = await talk(argv, undefined, { terminal: undefined, catalog });
    expect([exitCode, received]).toEqual([9, []]);
    expect(stderr).toContain("cannot be undone");
  });

  it("has -y in its command line for a script if it is irreversible", async () => {
    const { exitCode, stderr } = await talk(
      ["prices", "set"],
      [["Which will you give?", ENTER], ["per-unit", `1${ENTER}`], yes],
    );
    expect(exitCode).toBe(0);
    expect(stderr).toContain("  msgctl prices set --per-unit 1 --yes\n");
  });

  it("is shown with the names of other sources of the body, but without their values", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "body.json"), '{ "fragile": true }');
    const flags = ["--body-file", "body.json", "--set", "weightGrams=7"];
    const { exitCode, stderr, bodies } = await talk([...whole, ...flags], [yes], { cwd });
    expect([exitCode, bodies[0]]).toEqual([0, expect.objectContaining({ fragile: true, weightGrams: 7 })]);
    expect(stderr).toMatch(/\n {2}body-file {2}body\.json\n {2}set {8}weightGrams\n/);
  });

  it("shows no secret", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "pin"), SECRET);
    const { exitCode, stderr } = await talk([...whole, "--pin-file", "pin"], [yes], { cwd });
    expect(exitCode).toBe(0);
    expect(stderr).toContain("pin       (hidden)");
    expect(stderr).not.toContain(SECRET);
  });

  it.each(["--dry-run", "--curl"])("needs no confirmation with %s, which sends nothing", async (flag) => {
    const { exitCode, stdout, stderr, received } = await talk([...whole, flag], []);
    expect([exitCode, received]).toEqual([0, []]);
    expect(stdout).toContain("/depots/north/parcels");
    expect(stderr).not.toContain("Go ahead?");
  });

  it.each<[string, string[], Dialogue | undefined, Partial<World>]>([
    ["-y", ["-y"], [], {}],
    ["--no-input", ["--no-input"], [], {}],
    ["continuous integration", [], [], { env: { CI: "1" } }],
    ["no terminal", [], undefined, { terminal: undefined }],
    ["standard input redirected", [], undefined, {}],
  ])("is done without a question with %s", async (_, flags, dialogue, world) => {
    const { exitCode, stderr, received } = await talk([...whole, ...flags], dialogue, world);
    expect([exitCode, stderr, received.length]).toEqual([0, expect.stringMatching(ONLY_KEY), 1]);
  });
});

describe("without a terminal", () => {
  /** A world in which any read of standard input throws. */
  const untouched: Partial<World> = Object.defineProperty({}, "stdin", {
    get: () => {
      throw new Error("standard input was read");
    },
  });
  const mustBeGiven = ({ required, fill }: Input) => required === true && fill === undefined;
  const needy = Object.values(records).filter(({ inputs }) => inputs.some(mustBeGiven));

  it("the test detects a read of standard input", async () => {
    const ended = await msgctl([...whole, "--pin-file", "-"], untouched);
    expect(ended.stderr).toContain("standard input was read");
  });

  it.each(needy.map((record) => [`${record.group} ${record.name}`, record] as const))(
    "%s names all missing values, and does not read standard input",
    async (words, { inputs }) => {
      const ended = await msgctl(words.split(" "), Object.assign(untouched, { catalog }));
      expect([ended.exitCode, ended.stdout]).toEqual([9, ""]);
      for (const input of inputs) {
        expect(ended.stderr.includes(`${formatInputName(input)}: missing`)).toBe(mustBeGiven(input));
      }
    },
  );
});

it("a command that needs no answer asks nothing", async () => {
  const { exitCode, stderr } = await talk(["parcels", "list"], []);
  expect([exitCode, stderr]).toEqual([0, ""]);
});
