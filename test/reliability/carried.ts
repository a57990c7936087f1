// What was acknowledged, what the server says of it, and what the carrier took: the three have to agree.

/** How often the carrier took a message: of one in parts, how often each. */
export type Taken = ReadonlyMap<string, readonly number[]>;

export interface Carried {
  /** Messages that the carrier took, whole. */
  readonly taken: number;
  /** Messages of which nobody knows, and that say so. */
  readonly unknown: number;
  /** Recipients of messages that are said to be UNKNOWN, and were not taken or not all of them. */
  readonly unsent: string[];
  /** Taken more than once, or a part of them. */
  readonly doubled: string[];
  /** Acknowledged, not taken or not all of it, and not said to be UNKNOWN. */
  readonly lost: string[];
  /** Said to have been sent, and not taken or not all of it. */
  readonly claimed: string[];
  /** Not in a final state. */
  readonly stuck: string[];
}

const finals = new Set(["SENT", "DELIVERED", "UNDELIVERED", "FAILED", "EXPIRED", "UNKNOWN", "gone"]);

/**
 * Messages are named by their recipients, of whom each was sent one. `gone` are those that the database does not know any more, by
 * design.
 */
export function compareCarried(
  acknowledged: readonly string[],
  rows: readonly { recipient: string; status: string }[],
  taken: Taken,
  gone: ReadonlySet<string> = new Set(),
): Carried {
  const statuses = new Map(rows.map(({ recipient, status }) => [recipient, status]));
  const known = [...new Set([...acknowledged, ...statuses.keys(), ...taken.keys()])];
  const found = known.map((recipient) => {
    const times = taken.get(recipient) ?? [0];
    const status = statuses.get(recipient) ?? (gone.has(recipient) ? "gone" : "nothing");
    return { recipient, status, times, isWhole: Math.min(...times) > 0 };
  });
  const list = (isSo: (one: (typeof found)[number]) => boolean) =>
    found.filter(isSo).map(({ recipient, status, times }) => `${recipient}: ${status}, taken ${times} times`);
  return {
    taken: found.filter(({ isWhole }) => isWhole).length,
    unknown: found.filter(({ status }) => status === "UNKNOWN").length,
    unsent: found.filter(({ status, isWhole }) => !isWhole && status === "UNKNOWN").map(({ recipient }) => recipient),
    doubled: list(({ times }) => Math.max(...times) > 1),
    lost: list(({ status, isWhole }) => !isWhole && status !== "UNKNOWN" && status !== "gone"),
    claimed: list(({ status, isWhole }) => !isWhole && (status === "SENT" || status === "DELIVERED")),
    stuck: list(({ status }) => !finals.has(status)),
  };
}

/** How often each is there, of messages that are never in parts. */
export function countEach(recipients: readonly string[]): Taken {
  const times = new Map<string, number>();
  for (const recipient of recipients) times.set(recipient, (times.get(recipient) ?? 0) + 1);
  return new Map([...times].map(([recipient, count]) => [recipient, [count]]));
}
