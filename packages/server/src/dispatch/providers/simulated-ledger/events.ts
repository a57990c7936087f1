// The events of a send, and their names: the same however often, and by whichever process, they are reported.

import type { MessageEvent } from "../provider.ts";
import type { Happening } from "../simulated-behaviours.ts";
import type { Sent } from "./ledger.ts";

/** Which event of a message: the `index`th, from 0, of what happens to its `send`th send, from 1. */
export interface EventKey {
  readonly reference: string;
  readonly send: number;
  readonly index: number;
}

type WithoutTime<H extends Happening> = H extends Happening ? Omit<H, "afterMs"> : never;

export interface SendEvent extends EventKey {
  readonly report: WithoutTime<Happening>;
}

/** An event to be told at `dueAt`. */
export interface DueEvent extends SendEvent {
  readonly dueAt: number;
}

/** Returns the carrier's own id of a message's send. */
export function nameSend(reference: string, send: number): string {
  return `sim_${reference}_${send}`;
}

/** Lists what is told of a send, and when. */
export function listEvents({ reference, send, submittedAt, happenings }: Sent): DueEvent[] {
  return happenings.map((happening, index) => ({
    reference,
    send,
    index,
    report: withoutTime(happening),
    dueAt: submittedAt + happening.afterMs,
  }));
}

/** Made once of each: nearly all sends share theirs. */
const reports = new WeakMap<Happening, WithoutTime<Happening>>();

function withoutTime(happening: Happening): WithoutTime<Happening> {
  const known = reports.get(happening);
  if (known !== undefined) return known;
  const { afterMs: _, ...report } = happening;
  reports.set(happening, report);
  return report;
}

const writtenReports = new WeakMap<SendEvent["report"], string>();

/** The JSON of what is told, as a ledger keeps it. */
export function writeReport(report: SendEvent["report"]): string {
  const known = writtenReports.get(report);
  if (known !== undefined) return known;
  const written = JSON.stringify(report);
  writtenReports.set(report, written);
  return written;
}

/** Puts an event as the provider tells it. */
export function tellEvent({ reference, send, index, report }: SendEvent): MessageEvent {
  const providerMessageId = nameSend(reference, send);
  const names = { eventId: `${providerMessageId}.${index}`, clientReference: reference, providerMessageId };
  // no spread, which takes ten times as long
  return Object.assign(names, report);
}

/** Reads which event was told. */
export function readEventKey({ clientReference, eventId }: MessageEvent): EventKey {
  const [send, index] = eventId.slice(`sim_${clientReference}_`.length).split(".");
  return { reference: clientReference, send: Number(send), index: Number(index) };
}
