// The sections of the overview, by role: what the reader came for is first.

import type { Session } from "../../shell/session.ts";

export type Section =
  | "costs"
  | "quotas"
  | "activity"
  | "alerts"
  | "errors"
  | "requests"
  | "receivers"
  | "failed"
  | "waiting";

/** A column of sections. */
type Column = readonly Section[];
/** A row of the page: one column over its whole width, or a wide column and a narrow one. */
export type Row = readonly [Column] | readonly [Column, Column];

const ofManager: readonly Row[] = [[["costs"]], [["quotas", "activity"], ["alerts"]]];
const ofDeveloper: readonly Row[] = [
  [
    ["errors", "requests", "activity"],
    ["receivers", "alerts"],
  ],
  [["costs"]],
  [["quotas"]],
];
const ofAgent: readonly Row[] = [[["failed", "waiting", "activity"], ["alerts"]]];

/** Sections that are read from the index of messages. */
const searched: readonly Section[] = ["activity", "failed", "waiting"];

/** Lists the rows of the overview, without sections that the server cannot fill. */
export function listRows({ role, merchantId, canSearch }: Pick<Session, "role" | "merchantId" | "canSearch">): Row[] {
  const rows = merchantId !== null ? ofManager : (byRole[role] ?? ofManager);
  const isFilled = (section: Section) => canSearch || !searched.includes(section);
  return rows.flatMap((row): Row[] => {
    const [wide, narrow] = row.map((column) => column.filter(isFilled)).filter((column) => column.length > 0);
    if (wide === undefined) return [];
    return [narrow === undefined ? [wide] : [wide, narrow]];
  });
}

const byRole: Readonly<Partial<Record<Session["role"], readonly Row[]>>> = { agent: ofAgent, admin: ofDeveloper };
