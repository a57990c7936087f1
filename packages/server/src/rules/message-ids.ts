import { encodeTime } from "ulid";

const TIME_CHARACTERS = 10;

/** What every id of a message made at `epochMs` or later is not below: ids sort by their time. */
export function lowestMessageId(epochMs: number): string {
  return `msg_${encodeTime(Math.max(0, epochMs), TIME_CHARACTERS)}`;
}
