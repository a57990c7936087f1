// Set-up of all projects: property tests draw the same cases in each run, so that a failure is the same for everybody.
// PROPERTY_SEED, an integer, selects other cases: the nightly job does.

import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
