// What oclif's generator writes into bin/run.js.

// @ts-expect-error: installed by the bench alone
const { execute } = require("@oclif/core");

void execute({ dir: __dirname });
