/** Effect of `exactIntegers` on a reply's type. */

/** T where a whole number may be a `bigint`: one that a number cannot hold exactly is. */
export type Exact<T> = T extends number
  ? number extends T
    ? number | bigint
    : T
  : T extends string
    ? T
    : T extends object
      ? { [Name in keyof T]: Exact<T[Name]> }
      : T;

/** What a call gives of T: `Exact<T>` where its options ask for exact integers. */
export type ReplyData<T, E extends boolean = false> = E extends true ? Exact<T> : T;
