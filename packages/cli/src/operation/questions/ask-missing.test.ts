import { describe, expect, it } from "vitest";
import type { Input } from "../../model/record.ts";
import type { Asker, Check } from "../../prompts/asker.ts";
import { send } from "../../testing/parcels.ts";
import { readRequest } from "../request/request.ts";
import { askMissing } from "./ask-missing.ts";

/** Creates an asker that gives the answers in order. If a check refuses an answer, it records that and gives the next one. */
function scripted(answers: (string | boolean)[]) {
  const asked: string[] = [];
  const take = () => answers.shift() ?? expect.fail(`nothing left to answer: ${asked.join("\n")}`);
  const typed = (kind: string) => async (message: string, check: Check) => {
    asked.push(`${kind} ${message}`);
    for (;;) {
      const text = String(take());
      const verdict = check(text);
      if (verdict === true) return text;
      asked.push(verdict);
    }
  };
  const asker: Asker = {
    text: typed("text"),
    secret: typed("secret"),
    choose: async (message, choices) => {
      asked.push(`choose ${message}: ${choices.join(", ")}`);
      return String(take());
    },
    confirm: async (message, preset) => {
      asked.push(`confirm ${message}: ${preset}`);
      return take() === true;
    },
    tell: (text) => void asked.push(text),
  };
  return { asked, asker };
}

/** Asks for the only input of a command. */
async function askFor(input: Partial<Input>, answers: (string | boolean)[], offered: readonly string[] = []) {
  const base: Input = {
    name: "it",
    in: "body",
    path: ["it"],
    type: "string",
    description: "What it is.",
    required: true,
  };
  const record = { ...send, inputs: [{ ...base, ...input }] };
  const { asked, asker } = scripted(answers);
  const { missing } = readRequest(record, new Map());
  const values = await askMissing({ record, values: new Map(), missing, offer: async () => offered }, asker);
  return { value: values.get("it"), asked };
}

describe("asks for", () => {
  const atLeast3 = "Expected an integer of at least 3";
  const atLeast4 = "Expected at least 4 characters";
  const pin: Partial<Input> = { secret: true, minLength: 4, example: "mks_1" };

  it.each<[string, Partial<Input>, (string | boolean)[], unknown, string[]]>([
    ["text", { example: "a1" }, ["x"], "x", ["What it is. Such as a1", "text it"]],
    ["a number", { type: "integer", minimum: 3 }, ["2", "3"], "3", ["What it is.", "text it", atLeast3]],
    ["a choice", { enum: ["A", "B"] }, ["B"], "B", ["What it is.", "choose it: A, B"]],
    ["yes or no", { type: "boolean" }, [true], true, ["What it is.", "confirm it: false"]],
    [
      "yes or no, with yes as the default",
      { type: "boolean", default: true },
      [false],
      false,
      ["What it is.", "confirm it: true"],
    ],
    ["a secret, without its example", pin, ["abc", "abcd"], "abcd", ["What it is.", "secret it", atLeast4]],
  ])("%s", async (_, input, answers, value, asked) => {
    expect(await askFor(input, [...answers])).toEqual({ value, asked });
  });
});

describe("offered values", () => {
  const choice = "choose it: a, b, another …";

  it("are used unchanged when chosen", async () => {
    expect(await askFor({}, ["b"], ["a", "b"])).toEqual({ value: "b", asked: ["What it is.", choice] });
  });

  it("can be replaced by a typed value", async () => {
    const { value, asked } = await askFor({ minLength: 3 }, ["another …", "cc", "ccc"], ["a", "b"]);
    expect({ value, asked }).toEqual({
      value: "ccc",
      asked: ["What it is.", choice, "text it", "Expected at least 3 characters"],
    });
  });

  it.each<[string, Partial<Input>, string | boolean]>([
    ["a choice", { enum: ["A", "B"] }, "A"],
    ["a secret", { secret: true }, "s"],
    ["yes or no", { type: "boolean" }, true],
  ])("are not shown for %s", async (_, input, answer) => {
    expect((await askFor(input, [answer], ["a"])).asked.join()).not.toContain("another");
  });
});

describe("asks for the values of a list", () => {
  it("until an empty line, which is accepted only after enough values", async () => {
    const { value, asked } = await askFor({ repeatable: true, minItems: 2, maxItems: 5 }, ["a", "", "b", "c", ""]);
    expect(value).toEqual(["a", "b", "c"]);
    expect(asked).toContain("--it is required: type a value, or Ctrl-C to stop");
    expect(asked).toContain("text it (value 3, Enter alone ends the list)");
  });

  it("until the maximum is reached", async () => {
    expect((await askFor({ repeatable: true, maxItems: 2 }, ["a", "b"])).value).toEqual(["a", "b"]);
  });

  it("with a choice that ends the list", async () => {
    const { value, asked } = await askFor({ repeatable: true, enum: ["A", "B"] }, ["B", "(done)"]);
    expect(value).toEqual(["B"]);
    expect(asked.slice(1)).toEqual([
      "choose it (value 1): A, B",
      "choose it (value 2, Enter alone ends the list): (done), A, B",
    ]);
  });
});
