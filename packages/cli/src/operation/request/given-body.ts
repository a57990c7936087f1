/** Reads the part of a body that --body-file and --set give, before it is merged with the flags. */
import type { Fault } from "../../failures/errors.ts";
import { readMessage } from "../../failures/thrown.ts";
import { readText } from "../../flags/read-text.ts";
import type { OperationRecord } from "../../model/record.ts";
import { isObject, type JsonObject } from "../../output/fields.ts";
import type { Io } from "../../process/io.ts";

export interface BodyFlags {
  bodyFile: string | undefined;
  sets: readonly string[];
}

/** A parsed --set flag. */
export interface Assignment {
  /** The path as the user typed it. */
  path: string;
  /** The path as field names and list positions. */
  steps: readonly string[];
  text: string;
}

export interface GivenBody {
  /** The file's content; undefined if there is no file or it is unusable. */
  document: JsonObject | undefined;
  assignments: readonly Assignment[];
  faults: readonly Fault[];
}

/** Reads the file and the --set flags. Collects faults, so that all faults of a line are reported together. */
export async function readGivenBody(
  record: OperationRecord,
  { bodyFile, sets }: BodyFlags,
  io: Io,
): Promise<GivenBody> {
  if (!record.inputs.some((input) => input.in === "body")) {
    const used = [...(bodyFile === undefined ? [] : ["--body-file"]), ...(sets.length === 0 ? [] : ["--set"])];
    const faults = used.map((where) => ({ where, message: "this command sends no body" }));
    return { document: undefined, assignments: [], faults };
  }
  const faults: Fault[] = [];
  const document = bodyFile === undefined ? undefined : await readDocument(bodyFile, io, faults);
  return { document, assignments: sets.flatMap((text) => readAssignment(text, faults)), faults };
}

async function readDocument(path: string, io: Io, faults: Fault[]): Promise<JsonObject | undefined> {
  const refuse = (message: string) => void faults.push({ where: "--body-file", message });
  let text: string;
  try {
    text = await readText(path, io);
  } catch (error) {
    refuse(`${JSON.stringify(path)} ${readMessage(error)}; expected the path of a JSON file, or - for standard input`);
    return undefined;
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    // The parser's message is dropped: it quotes the text, which may hold a secret.
    const position = /position (\d+)/.exec(String(error))?.[1];
    refuse(`is not JSON${position === undefined ? "" : ` at ${placeIn(text, Number(position))}`}`);
    return undefined;
  }
  if (isObject(document)) return document;
  refuse('does not hold a JSON object; expected the fields of the body, such as {"name": "value"}');
  return undefined;
}

function placeIn(text: string, position: number): string {
  const lines = text.slice(0, position).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** Parses a --set: `contact.phone=…`, `labels.0=…` or `labels[0]=…`. */
function readAssignment(given: string, faults: Fault[]): Assignment[] {
  const end = given.indexOf("=");
  const path = given.slice(0, Math.max(end, 0)).trim();
  const steps = path.replace(/\[(\d+)\]/g, ".$1").split(".");
  if (end !== -1 && steps.every((step) => step !== "")) return [{ path, steps, text: given.slice(end + 1) }];
  faults.push({
    where: "--set",
    message:
      end === -1
        ? "expected path=value, such as contact.phone=+12025550100 or labels.0=fragile"
        : `received the path ${JSON.stringify(path)}; expected names and positions with dots between them`,
  });
  return [];
}
