/** Effect of `exactIntegers` on a reply's type. */

/** T with integers that may be a `bigint`. An integer is a `bigint` if a number cannot represent it. */
export type Exact<T> = T extends number
  ? number extends T
    ? number | bigint
    : T
  : T extends string
    ? T
    : T extends object
      ? { [Name in keyof T]: Exact<T[Name]> }
      : T;

/** The result of a call for T: `Exact<T>` if its options ask for exact integers. */
export type ReplyData<T, E extends boolean = false> = E extends true ? Exact<T> : T;
