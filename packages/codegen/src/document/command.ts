import { listed, received } from "../faults.ts";
import type { Command, FieldSource, Wait } from "../model.ts";
import type { Entry } from "./source.ts";

const KEYS = ["group", "name", "aliases", "args", "columns", "identity", "cost", "wait", "complete", "fill"];
const COSTS = ["billable", "irreversible"] as const;

/** A word of a command line, in kebab-case. The SDK spells the same word in camelCase. */
const WORD = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** Reads the `x-msgctl` of an operation, and checks it as far as possible without other parts of the document. */
export function readCommand(operation: Entry): Command {
  const entry = operation.at("x-msgctl");
  if (!entry.exists) {
    operation.fault(`${operation.key} has no x-msgctl: write its group, name and columns.`);
    return { group: "", name: "", aliases: [], args: [], columns: [], identity: [], complete: [], fill: [] };
  }
  entry.allowOnly(KEYS, "x-msgctl");
  const cost = readCost(entry.at("cost"));
  const wait = readWait(entry.at("wait"));
  return {
    group: readWord(entry.at("group")),
    name: readWord(entry.at("name")),
    aliases: entry.at("aliases").items().map(readWord),
    args: entry.at("args").texts(),
    columns: entry.at("columns").texts(),
    identity: entry.at("identity").texts(),
    ...(cost && { cost }),
    ...(wait && { wait }),
    complete: entry
      .at("complete")
      .items()
      .map((item) => readSource(item, "complete")),
    fill: entry
      .at("fill")
      .items()
      .map((item) => readSource(item, "fill")),
  };
}

function readWord(entry: Entry): string {
  const word = entry.text();
  if (word !== "" && !WORD.test(word))
    entry.fault(`${entry.key} must be lower-case words joined by hyphens (direct-sms), not ${received(word)}.`);
  return word;
}

function readCost(entry: Entry): Command["cost"] {
  const cost = COSTS.find((allowed) => allowed === entry.value);
  if (entry.exists && cost === undefined)
    entry.fault(
      `cost must be ${listed(COSTS)}, not ${received(entry.value)}. Leave it out for a command that is neither.`,
    );
  return cost;
}

function readWait(entry: Entry): Wait | undefined {
  if (!entry.exists) return undefined;
  entry.allowOnly(["operation", "from", "field", "until", "failed"], "wait");
  return {
    operation: entry.at("operation").text(),
    from: entry.at("from").text(),
    field: entry.at("field").text(),
    until: entry.at("until").texts(),
    failed: entry.at("failed").texts(),
  };
}

function readSource(entry: Entry, word: "complete" | "fill"): FieldSource {
  entry.allowOnly(["operation", "field"], word);
  return { operation: entry.at("operation").text(), field: entry.at("field").text() };
}
