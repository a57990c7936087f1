// How values of PostgreSQL are read: as the store's port says, a 64-bit number as a number, a condition as 0 or 1.

import type { CustomTypesConfig } from "pg";

const BOOL = 16;
const INT8 = 20;
const INT2 = 21;
const INT4 = 23;
const FLOAT8 = 701;

const parsers = new Map<number, (text: string) => unknown>([
  [BOOL, (text) => (text === "t" ? 1 : 0)],
  [INT2, Number],
  [INT4, Number],
  // a sum past 2^53 is not exact, as in SQLite: whoever adds up that much looks
  [INT8, Number],
  [FLOAT8, Number],
]);

const asText = (text: string) => text;

/** Given to each connection; the driver's own parsers stay as they are for other users of it. */
export const valueTypes: CustomTypesConfig = {
  getTypeParser: ((type: number) => parsers.get(type) ?? asText) as CustomTypesConfig["getTypeParser"],
};
