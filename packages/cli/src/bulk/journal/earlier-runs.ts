/**
 * Compares a list with earlier runs by the content of its rows. Each run has a journal. Journals of the same operation and
 * service share a folder.
 */
import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { CliError } from "../../failures/errors.ts";
import { readErrorCode } from "../../failures/thrown.ts";
import { EXIT } from "../../process/exit-codes.ts";
import type { CheckedList } from "../list/checked-list.ts";
import { damaged, newerJournal } from "./journal.ts";
import { type RunHeader, readLines } from "./journal-lines.ts";

export interface Asked {
  /** Folder of the journals, private to its owner. */
  folder: string;
  list: CheckedList;
  listName: string | undefined;
  /** Digest of the API key. */
  account: string;
  /** Whether journals of other API keys belong to the same account. */
  isSameAccount: boolean;
  /** The word of --run. If given, only runs with the same word count as earlier runs. */
  word: string | undefined;
  /** Whether rows record a state, which may be recorded again. Such a run is resumed only with exactly the same list. */
  isState: boolean;
}

export interface EarlierRuns {
  /** The interrupted run to resume. */
  interrupted: { path: string; run: RunHeader } | undefined;
  /** Path of the journal of a new run. */
  newPath: string;
  /** Rows that other runs sent, and when the last of these runs began. `isCertain`: no row has an unknown outcome. */
  wentOut: { rows: ReadonlySet<string>; lastAtMs: number; isCertain: boolean };
  /** Recipients to whom lists of this name sent texts that this list does not have, and when the last such run began. */
  hadOther: { recipients: ReadonlySet<string>; lastAtMs: number };
  /** The hash of each file of failed rows as it was written, by path. */
  failedFiles: ReadonlyMap<string, string>;
}

/** Journals are removed after 13 months. */
const KEPT_MS = 400 * 24 * 60 * 60 * 1000;

/** @throws {CliError} If a journal is damaged, or the list was sent with another key that may be of the same account. */
export function compareWithEarlierRuns(asked: Asked): EarlierRuns {
  const { listName, word, isState } = asked;
  const own = readOwnRuns(asked);
  const counted = own.filter(({ run }) => word === undefined || run.word === word);
  const interrupted = counted
    .filter(({ run, endedAtMs }) => endedAtMs === undefined && run.word === word)
    .filter(({ isOfList, ...run }) => isOfList || (touchesList(run) && !isState))
    .sort((one, other) => other.run.beganAtMs - one.run.beganAtMs)[0];
  const wentOut = { rows: new Set<string>(), lastAtMs: 0, isCertain: true };
  const hadOther = { recipients: new Set<string>(), lastAtMs: 0 };
  const isDecided = ({ run }: FoundRun) =>
    interrupted?.run.earlierRows === "sent-again" && run.beganAtMs <= interrupted.run.beganAtMs;
  for (const earlier of isState ? [] : counted) {
    const { run, rowsInList, rowsInDoubt, otherRecipients } = earlier;
    if (earlier !== interrupted && isDecided(earlier)) continue;
    if (earlier !== interrupted && touchesList(earlier)) {
      for (const row of [...rowsInList, ...rowsInDoubt]) wentOut.rows.add(row);
      wentOut.lastAtMs = Math.max(wentOut.lastAtMs, run.beganAtMs);
      wentOut.isCertain &&= rowsInDoubt.size === 0;
    }
    if (listName === undefined || run.listName !== listName || otherRecipients.length === 0) continue;
    for (const recipient of otherRecipients) hadOther.recipients.add(recipient);
    hadOther.lastAtMs = Math.max(hadOther.lastAtMs, run.beganAtMs);
  }
  return {
    interrupted,
    newPath: newPath(asked),
    wentOut,
    hadOther,
    failedFiles: new Map(own.flatMap(({ failedFiles }) => [...failedFiles])),
  };
}

/** The runs of the account, the newest last. @throws {CliError} As `compareWithEarlierRuns` does. */
export function listRuns(asked: Asked): FoundRun[] {
  return readOwnRuns(asked)
    .filter(({ run }) => asked.word === undefined || run.word === asked.word)
    .sort((one, other) => one.run.beganAtMs - other.run.beganAtMs);
}

/** @throws {CliError} If the list was sent with another key that may be of the same account. */
function readOwnRuns(asked: Asked): FoundRun[] {
  const { account, isSameAccount, word, isState } = asked;
  const found = readRuns(asked);
  const own = found.filter(({ accounts }) => isSameAccount || accounts.has(account));
  const others = found.filter((run) => !own.includes(run) && !isState && touchesList(run));
  if (others.length > 0 && word === undefined) throw beganWithAnotherKey();
  return own;
}

export interface FoundRun {
  path: string;
  run: RunHeader;
  /** Digests of the API keys that the run has used. */
  accounts: ReadonlySet<string>;
  endedAtMs: number | undefined;
  /** Whether the run was started with exactly the same list. */
  isOfList: boolean;
  /** Rows of the list that the run has sent. */
  rowsInList: readonly string[];
  /** Rows of the list that the run started and whose outcome is unknown. */
  rowsInDoubt: ReadonlySet<string>;
  /** Rows of the list that the service refused in the run. */
  rowsRefused: ReadonlySet<string>;
  /** Recipients of rows that the run sent, or may have sent, and that are not in the list. */
  otherRecipients: readonly string[];
  failedFiles: ReadonlyMap<string, string>;
}

function touchesList({ rowsInList, rowsInDoubt }: Pick<FoundRun, "rowsInList" | "rowsInDoubt">): boolean {
  return rowsInList.length > 0 || rowsInDoubt.size > 0;
}

function readRuns(asked: Asked): FoundRun[] {
  const { folder, list } = asked;
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  return names.flatMap((name) => {
    const found = readRun(join(folder, name), list);
    return found === undefined ? [] : [{ ...found, isOfList: name.includes(listPart(list)) }];
  });
}

/** Returns undefined if the journal no longer exists, or if its run sent nothing. */
function readRun(path: string, list: CheckedList): Omit<FoundRun, "isOfList"> | undefined {
  const file = open(path);
  if (file === undefined) return undefined;
  const accounts = new Set<string>();
  const rowsInList: string[] = [];
  const rowsInDoubt = new Set<string>();
  const rowsRefused = new Set<string>();
  /** Recipients by row id. */
  const otherRecipients = new Map<string, string>();
  const failedFiles = new Map<string, string>();
  let run: RunHeader | undefined;
  let endedAtMs: number | undefined;
  try {
    const { damagedLine, isNewer } = readLines(
      file,
      ({ line }) => {
        run ??= line.run;
        if (run !== undefined && line.goesOn !== undefined) run = { ...run, ...line.goesOn };
        endedAtMs = line.endedAtMs ?? endedAtMs;
        const { account } = line.goesOn ?? line.run ?? {};
        if (account !== undefined) accounts.add(account);
        if (line.failedFile !== undefined) failedFiles.set(line.failedFile.path, line.failedFile.sha256);
        const { begun, to, row, failed } = line;
        if (begun !== undefined && list.has(begun)) rowsInDoubt.add(begun);
        else if (begun !== undefined && to !== undefined) otherRecipients.set(begun, to);
        if (row === undefined) return;
        rowsInDoubt.delete(row);
        rowsRefused.delete(row);
        if (failed !== undefined) {
          otherRecipients.delete(row);
          if (list.has(row)) rowsRefused.add(row);
        } else if (list.has(row)) rowsInList.push(row);
      },
      () => {},
    );
    if (isNewer) throw newerJournal(path);
    if (damagedLine !== undefined) throw damaged(path, damagedLine);
  } finally {
    closeSync(file);
  }
  if (run === undefined) return undefined;
  const rows = { rowsInList, rowsInDoubt, rowsRefused, otherRecipients: [...otherRecipients.values()] };
  return { path, run, accounts, endedAtMs, ...rows, failedFiles };
}

function open(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (readErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** If two runs of the same list start at the same time, both get this path, so only one of them can lock it. */
function newPath({ folder, list, account }: Asked): string {
  for (let number = 1; ; number += 1) {
    const path = join(folder, `${account}-${listPart(list)}-${number}.jsonl`);
    if (!existsSync(path)) return path;
  }
}

function listPart({ digest }: CheckedList): string {
  return digest.slice(0, 16);
}

/** Removes journals unchanged for 13 months, and equally old leftovers of killed processes. Never throws. */
export function removeOldJournals(folder: string, nowMs: number): void {
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (/\.(jsonl|new)$/.test(name) && nowMs - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { force: true });
    }
  } catch {
    // the next run tries again
  }
}

/** @throws {CliError} If the folder has journals of an earlier format, which identifies rows by their position. */
export function refuseFormerJournals(bulkFolder: string): void {
  if (!existsSync(bulkFolder)) return;
  if (!readdirSync(bulkFolder).some((name) => name.endsWith(".jsonl"))) return;
  const message = `${bulkFolder} has journals of an earlier msgctl, which identified rows by their position; nothing was sent`;
  throw new CliError(EXIT.usage, "former_journals", message, {
    hints: [
      "This version cannot read them, so it would send again the lists that these journals record.",
      `If you will not run those lists again, move the *.jsonl files away: \`mkdir ${bulkFolder}/former && mv ${bulkFolder}/*.jsonl ${bulkFolder}/former\`.`,
    ],
  });
}

function beganWithAnotherKey(): CliError {
  const message = "rows of this list were sent with another API key, possibly of the same account; nothing was sent";
  return new CliError(EXIT.usage, "began_with_another_key", message, {
    hints: [
      "If it is the same account, give --same-account: msgctl then asks before it sends those rows again.",
      "If it is another account, name this run: --run <word>.",
    ],
  });
}
