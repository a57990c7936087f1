/**
 * Number of rounds of each kind in tests. One round finds failures that always happen. To find intermittent ones, run more:
 * `RELIABILITY_ROUNDS=6 npm run test:product -- test/reliability`.
 */
export const ROUNDS = Number(process.env.RELIABILITY_ROUNDS ?? 1);
