// The same code as oclif's generator writes into bin/run.js.

// @ts-expect-error: only the bench installs it
const { execute } = require("@oclif/core");

void execute({ dir: __dirname });
