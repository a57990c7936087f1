// How values of PostgreSQL are read: as the port says, a 64-bit number as a number, a condition as 0 or 1.

import type { CustomTypesConfig } from "pg";

const BOOL = 16;
const INT8 = 20;
const INT2 = 21;
const INT4 = 23;

function readInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`the database returned ${text}, which is no whole number up to 2^53-1`);
}

const parsers = new Map<number, (text: string) => unknown>([
  [BOOL, (text) => (text === "t" ? 1 : 0)],
  [INT2, readInteger],
  [INT4, readInteger],
  [INT8, readInteger],
]);

const asText = (text: string) => text;

/** Given to each connection; the driver's own parsers stay as they are for other users of it. */
export const valueTypes: CustomTypesConfig = {
  getTypeParser: ((type: number) => parsers.get(type) ?? asText) as CustomTypesConfig["getTypeParser"],
};
