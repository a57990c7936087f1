/**
 * Waits for the end of all, what they ask being asked together, and gives their results. If some fail, it throws the first's
 * error, once none is under way any more: the transaction ends then.
 */
export async function allEnded<const Works extends readonly Promise<unknown>[]>(
  works: Works,
): Promise<{ -readonly [Index in keyof Works]: Awaited<Works[Index]> }> {
  const ends = await Promise.allSettled(works);
  const values = ends.map((end) => {
    if (end.status === "rejected") throw end.reason;
    return end.value;
  });
  return values as { -readonly [Index in keyof Works]: Awaited<Works[Index]> };
}
