/** Asks for the values that are missing on a command line. */
import type { Fault } from "../../failures/errors.ts";
import { formatInputName } from "../../flags/input-name.ts";
import { parseValue } from "../../flags/value.ts";
import type { Input, OperationRecord } from "../../model/record.ts";
import type { RawValues } from "../../model/request.ts";
import type { Asker, Check } from "../../prompts/asker.ts";
import type { Offer } from "./offer.ts";

type Value = string | boolean | readonly string[];

export interface Incomplete {
  record: OperationRecord;
  values: RawValues;
  /** The missing values that readRequest reports: one per required input, and one if a choice between sets is missing. */
  missing: readonly Fault[];
  offer: Offer;
}

/** Returns the given values together with the answers. */
export async function askMissing({ record, values, missing, offer }: Incomplete, asker: Asker): Promise<RawValues> {
  const all = new Map(values);
  const askAll = async (inputs: readonly Input[]) => {
    for (const input of inputs) if (!all.has(input.name)) all.set(input.name, await askFor(input, asker, offer));
  };
  const lacks = (input: Input) => missing.some(({ where }) => where === formatInputName(input));
  const inputs = record.inputs.filter((input) => input.required && lacks(input));
  await askAll(inputs);
  if (missing.length > inputs.length) {
    const names = await chooseSet(record.anyOf ?? [], asker);
    await askAll(record.inputs.filter(({ name }) => names.includes(name)));
  }
  return all;
}

async function chooseSet(sets: readonly (readonly string[])[], asker: Asker): Promise<readonly string[]> {
  const labels = sets.map((set) => set.join(" with "));
  const chosen = await asker.choose("Which will you give?", labels);
  return sets[labels.indexOf(chosen)] ?? [];
}

async function askFor(input: Input, asker: Asker, offer: Offer): Promise<Value> {
  const { name, example, description } = input;
  const sample = example === undefined || input.secret ? "" : ` Such as ${example}`;
  asker.tell(`${description.replace(/\s+/g, " ").trim()}${sample}`);
  if (input.repeatable) return askForList(input, asker);
  if (input.secret) return asker.secret(name, createCheck(input));
  if (input.enum !== undefined) return asker.choose(name, input.enum);
  if (input.type === "boolean") return asker.confirm(name, input.default === true);
  return (await chooseOffered(input, asker, offer)) ?? asker.text(name, createCheck(input));
}

const ANOTHER = "another …";

/** Lets the user choose an offered value. Returns undefined if nothing is offered, or the user wants another value. */
async function chooseOffered(input: Input, asker: Asker, offer: Offer): Promise<string | undefined> {
  const offered = await offer(input);
  if (offered.length === 0) return undefined;
  const chosen = await asker.choose(input.name, [...offered, ANOTHER]);
  return chosen === ANOTHER ? undefined : chosen;
}

const NO_MORE = "(done)";

async function askForList(input: Input, asker: Asker): Promise<readonly string[]> {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = input;
  const texts: string[] = [];
  while (texts.length < maxItems) {
    const isEnough = texts.length >= Math.max(minItems, 1);
    const text = await askForItem(input, texts.length + 1, isEnough, asker);
    if (text === undefined) break;
    texts.push(text);
  }
  return texts;
}

/** Asks for one value of a list. Returns undefined if the user ends the list. */
async function askForItem(input: Input, position: number, isEnough: boolean, asker: Asker) {
  const message = `${input.name} (value ${position}${isEnough ? ", Enter alone ends the list" : ""})`;
  if (input.enum !== undefined) {
    const chosen = await asker.choose(message, isEnough ? [NO_MORE, ...input.enum] : input.enum);
    return chosen === NO_MORE ? undefined : chosen;
  }
  const check = createCheck(input);
  const ask = input.secret ? asker.secret : asker.text;
  const text = await ask(message, (typed) => (isEnough && typed === "") || check(typed));
  return text === "" ? undefined : text;
}

function createCheck(input: Input): Check {
  return (text) => {
    if (text === "") return `${formatInputName(input)} is required: type a value, or Ctrl-C to stop`;
    const parsed = parseValue(input, text);
    return parsed.ok || `Expected ${parsed.expected}`;
  };
}
