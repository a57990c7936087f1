/**
 * Reports the status of the rows of a list. The contract has no operation that reads a message, so msgctl repeats the request
 * with the same key, which returns the message's present state. A service that has forgotten the key would send the message
 * again, so msgctl repeats only requests whose keys the service certainly still has, one at a time.
 */
import { join } from "node:path";
import { CoreClient, MessagingError } from "@msgctl/sdk";
import type { Access } from "../call/access/access.ts";
import { resolveAccess } from "../call/access/resolve-access.ts";
import { toRowError } from "../call/call-failure.ts";
import { nodeTransport } from "../call/node-transport.ts";
import { CliError } from "../failures/errors.ts";
import { readField } from "../output/fields.ts";
import { compactJson } from "../output/json/json.ts";
import { printable } from "../output/printable.ts";
import { formatCount, formatRowCount } from "../output/text/quantities.ts";
import { readSettings } from "../process/config.ts";
import { EXIT } from "../process/exit-codes.ts";
import { listRuns } from "./journal/earlier-runs.ts";
import type { ListRow } from "./list/checked-list.ts";
import { createProgress } from "./progress.ts";
import { BULK_FOLDER, findJournals, KEYS_KEPT_MS, type ListRun } from "./run-list.ts";

type StatusRun = Omit<ListRun, "catalog">;

/** Why a row has no status. */
const STATES = {
  noLongerKnown: "unknown: sent too long ago to look up",
  open: "unknown: it may or may not have been sent",
  refused: "refused",
  notSent: "not sent from this machine",
} as const;

type State = keyof typeof STATES;

/** Allowance for the difference between the clocks of this machine and the service. */
const MARGIN_MS = 60 * 60 * 1000;

/** Prints the list's rows by status, or each row with -o jsonl. @throws {CliError} If the service cannot be asked. */
export async function tellStatus(run: StatusRun): Promise<void> {
  const { flags, list, io } = run;
  const settings = readSettings(io.env);
  const access = resolveAccess(flags.global, settings, io.cwd);
  const journalled = readJournalled(run, join(settings.folder, BULK_FOLDER), access);
  const { baseUrl, apiKey, apiSecret } = access;
  const client = new CoreClient({ baseUrl, apiKey, apiSecret, fetch: nodeTransport(access.proxy) });
  const progress = createProgress(io.stderr, io.clock);
  const total = journalled.done.size;
  const statuses: Record<string, number> = {};
  const states: Record<State, number> = { noLongerKnown: 0, open: 0, refused: 0, notSent: 0 };
  let ended = 0;
  const lookUp = async (row: ListRow): Promise<RowStatus> => {
    const sent = journalled.done.get(row.id);
    if (sent === undefined) return { state: journalled.others.get(row.id) ?? "notSent" };
    if (!isKept(sent, io.clock.now())) return { state: "noLongerKnown" };
    const { data, isReplayed } = await ask(run, access, client, row, `${sent.keyPrefix}-${row.id}`).catch((error) => {
      throw tellProgress(error, ended, total);
    });
    if (!isReplayed) throw sentAgain(row, data);
    return { state: "known", status: String(readField(data, "status")), messageId: readField(data, "messageId") };
  };
  for await (const row of list.rows(() => true)) {
    const { state, status, messageId = null } = await lookUp(row);
    if (state !== "known") states[state] += 1;
    if (status !== undefined) statuses[status] = (statuses[status] ?? 0) + 1;
    if (journalled.done.has(row.id)) ended += 1;
    if (!flags.global.quiet) progress.show({ ended, total, notDone: 0 });
    if (flags.format !== "jsonl") continue;
    progress.clear();
    const { index, line } = row;
    io.stdout.write(`${compactJson({ row: index + 1, line, status: status ?? null, messageId, state })}\n`);
  }
  progress.clear();
  if (flags.format === "json") io.stdout.write(`${compactJson({ rows: list.rowCount, statuses, ...states })}\n`);
  if (flags.format === "table") io.stdout.write(table(statuses, states));
}

interface RowStatus {
  state: State | "known";
  /** The message's status as the service reports it; undefined if it was not looked up. */
  status?: string;
  messageId?: unknown;
}

/** Whether the service certainly still knows the key. False if the clock was set back, since the age is then unknown. */
function isKept({ beganAtMs }: Sent, nowMs: number): boolean {
  const ageMs = nowMs - beganAtMs;
  return ageMs > -MARGIN_MS && ageMs < KEYS_KEPT_MS - MARGIN_MS;
}

function tellProgress(error: unknown, ended: number, total: number): unknown {
  if (!(error instanceof CliError)) return error;
  const { exitCode, code, message, details } = error;
  const was = ended === 1 ? "was" : "were";
  const asked = `${formatCount(ended)} of ${formatRowCount(total)} ${was} asked about`;
  return new CliError(exitCode, code, `${message}; ${asked}`, details);
}

interface Sent {
  beganAtMs: number;
  keyPrefix: string;
}

interface Journalled {
  done: ReadonlyMap<string, Sent>;
  others: ReadonlyMap<string, State>;
}

function readJournalled({ job, flags, source, list }: StatusRun, bulkFolder: string, access: Access): Journalled {
  const { isSameAccount, word } = flags;
  const journals = findJournals(bulkFolder, access, job);
  const runs = listRuns({ ...journals, list, listName: source.listName, isSameAccount, word, isState: false });
  const done = new Map<string, Sent>();
  const others = new Map<string, State>();
  for (const { run, rowsInList, rowsInDoubt, rowsRefused } of runs) {
    for (const id of rowsInList) done.set(id, run);
    for (const id of rowsInDoubt) others.set(id, "open");
    for (const id of rowsRefused) others.set(id, "refused");
  }
  return { done, others };
}

async function ask({ job, flags, io }: StatusRun, access: Access, client: CoreClient, row: ListRow, key: string) {
  const { timeoutMs } = flags.global;
  async function* one() {
    yield row.body;
  }
  const options = {
    // no retries: if the first response is lost, a retry's response would hide that the message was sent again
    ...{ concurrency: 1, maxRetries: 0, exactIntegers: true as const, signal: io.signal },
    ...{ timeoutMs: Number.POSITIVE_INFINITY, totalTimeoutMs: timeoutMs, idempotencyKey: () => key },
  };
  try {
    for await (const outcome of job.start(client, one(), options)) {
      if (!outcome.ok) throw outcome.error;
      return { data: outcome.data, isReplayed: outcome.meta.replayed };
    }
  } catch (error) {
    throw error instanceof MessagingError ? toRowError(error, job.record, access) : error;
  }
  throw new Error("the row has no outcome");
}

function sentAgain({ line, body }: ListRow, data: object): CliError {
  const message = `the service no longer knew the key of line ${line}, and sent the message again to ${readField(body, "to")} as ${readField(data, "messageId")}; no more rows were looked up`;
  return new CliError(EXIT.partial, "sent_again", printable(message), {
    hints: ["Do not use --status with this service: it keeps idempotency keys for less time than its contract says."],
  });
}

function table(statuses: Readonly<Record<string, number>>, states: Readonly<Record<State, number>>): string {
  const named = Object.entries(states) as [State, number][];
  const rows = [
    ...Object.entries(statuses).sort(([, one], [, other]) => other - one),
    ...named.filter(([, count]) => count > 0).map(([state, count]) => [STATES[state], count] as const),
  ];
  const width = Math.max(...rows.map(([, count]) => formatCount(count).length));
  return rows.map(([name, count]) => `${formatCount(count).padStart(width)}  ${printable(name)}\n`).join("");
}
