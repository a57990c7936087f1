// Compares the acknowledged messages with the server's and the carrier's records. The three have to agree.

/** How often the carrier took each part of a message, by recipient. */
export type Taken = ReadonlyMap<string, readonly number[]>;

export interface Carried {
  /** Number of messages that the carrier took completely. */
  readonly taken: number;
  /** Number of messages that are UNKNOWN. */
  readonly unknown: number;
  /** Recipients of UNKNOWN messages that were not taken completely. */
  readonly unsent: string[];
  /** Messages of which at least one part was taken more than once. */
  readonly doubled: string[];
  /** Acknowledged messages that were not taken completely, and are not UNKNOWN. */
  readonly lost: string[];
  /** Messages recorded as sent that were not taken completely. */
  readonly claimed: string[];
  /** Messages that are not in a final state. */
  readonly stuck: string[];
}

const finals = new Set(["SENT", "DELIVERED", "UNDELIVERED", "FAILED", "EXPIRED", "UNKNOWN", "gone"]);

/**
 * Compares messages by recipient: each recipient was sent one message. `gone` are recipients whose message the database no
 * longer has, by design of the round.
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

/** Counts the messages to each recipient, for a channel whose messages have one part. */
export function countEach(recipients: readonly string[]): Taken {
  const times = new Map<string, number>();
  for (const recipient of recipients) times.set(recipient, (times.get(recipient) ?? 0) + 1);
  return new Map([...times].map(([recipient, count]) => [recipient, [count]]));
}
