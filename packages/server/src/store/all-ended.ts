/**
 * Waits for the end of all, what they ask being asked together, and gives their results. If some fail, it throws the first's
 * error, once none is under way any more: the transaction ends then.
 */
export async function allEnded<T>(works: readonly Promise<T>[]): Promise<T[]> {
  const ends = await Promise.allSettled(works);
  return ends.map((end) => {
    if (end.status === "rejected") throw end.reason;
    return end.value;
  });
}
