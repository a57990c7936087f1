// Set-up of all projects: property tests draw the same cases in each run, so that what fails for one fails for everybody.
// PROPERTY_SEED, an integer, has them draw others: the nightly job does.

import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
