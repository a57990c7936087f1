// The contract of the last release, as `npm run record:contract` records it, and the breaks since then that are intended.

import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import type { Change, OpenApiDocument } from "./changes.ts";

const root = new URL("../../", import.meta.url);
export const recordedFolder = new URL("recorded/", import.meta.url);
const intendedFile = new URL("intended-breaks.yaml", import.meta.url);
/** The contract and the events of messages, which refer to its components. */
const documents = ["openapi.yaml", "packages/contract/events.openapi.yaml"] as const;

/** Copies the contract of this checkout as that of the last release, and empties the list of intended breaks. */
export function recordContract(): void {
  for (const path of documents) copyFileSync(new URL(path, root), new URL(basename(path), recordedFolder));
  const [head = ""] = readFileSync(intendedFile, "utf8").split(/^(?!#)/m);
  writeFileSync(intendedFile, `${head}[]\n`);
}

/** Reads the contract and the events as one document, from the recorded files or, by default, from this checkout. */
export function readContract(folder?: URL): OpenApiDocument {
  const [contract = {}, events = {}] = documents.map((path) => {
    const file = folder === undefined ? new URL(path, root) : new URL(basename(path), folder);
    return parse(readFileSync(file, "utf8").replaceAll("../../openapi.yaml#", "#")) as Record<string, OpenApiDocument>;
  });
  const components = { ...contract.components };
  for (const [kind, parts] of Object.entries(events.components ?? {})) {
    components[kind] = { ...(components[kind] as OpenApiDocument), ...(parts as OpenApiDocument) };
  }
  return { ...contract, webhooks: { ...contract.webhooks, ...events.webhooks }, components };
}

export const readIntended = (): unknown => parse(readFileSync(intendedFile, "utf8"));
export const intendedPath = fileURLToPath(intendedFile);

interface Intended {
  readonly change: string;
  readonly reason: string;
}

/** Lists the changes that are not intended, and the entries of `intended` that are wrong. */
export function judge(changes: readonly Change[], intended: unknown): string[] {
  if (!Array.isArray(intended)) return ["the file must be a list"];
  const lines = changes.map(({ where, text }) => `${where}: ${text}`);
  const entries = intended as readonly unknown[];
  const wrong = entries.flatMap((entry, index) => {
    if (!isIntended(entry)) return [`entry ${index + 1} needs a change and a reason: ${JSON.stringify(entry)}`];
    if (lines.some((line) => line.startsWith(entry.change))) return [];
    return [`entry ${index + 1} matches no change: ${entry.change}`];
  });
  const isListed = (line: string) =>
    entries.some((entry) => {
      const { change } = Object(entry) as Partial<Intended>;
      return typeof change === "string" && line.startsWith(change);
    });
  return [...wrong, ...lines.filter((line) => !isListed(line))];
}

function isIntended(entry: unknown): entry is Intended {
  const { change, reason } = Object(entry) as Partial<Record<keyof Intended, unknown>>;
  return [change, reason].every((text) => typeof text === "string" && text.trim().length >= 10);
}
