/**
 * How many rounds of each kind the tests run: one is enough to find what always fails. What fails now and then takes more, such as
 * `RELIABILITY_ROUNDS=6 npm run test:product -- test/reliability`.
 */
export const ROUNDS = Number(process.env.RELIABILITY_ROUNDS ?? 1);
