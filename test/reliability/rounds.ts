/**
 * Number of rounds of each kind in tests: one is enough to find what always fails. An intermittent failure takes more, such
 * as `RELIABILITY_ROUNDS=6 npm run test:product -- test/reliability`.
 */
export const ROUNDS = Number(process.env.RELIABILITY_ROUNDS ?? 1);
