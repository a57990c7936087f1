import type { Views } from "../../api.ts";

/** The last reply of a recipient that changed what may be sent to them. Other replies are not kept. */
export interface LastReply {
  /** Such as STOP or START. */
  readonly word: string;
  readonly at: string;
}

/** Start of the source of a decision that was a reply. */
const REPLY = "SMS_REPLY:";

export function findLastReply({
  changes,
  stops,
}: Pick<Views["RecipientView"], "changes" | "stops">): LastReply | undefined {
  const replies = changes.flatMap(({ source, changedAt: at }) =>
    source?.startsWith(REPLY) ? [{ word: source.slice(REPLY.length), at }] : [],
  );
  const all = [...stops.map(({ word, saidAt: at }) => ({ word, at })), ...replies];
  return all.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))[0];
}
