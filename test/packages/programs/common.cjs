const process = require("node:process");
const sdk = require("@msgctl/sdk");
const webhooks = require("@msgctl/sdk/webhooks");

import("./exercise.mjs")
  .then(({ exercise }) => exercise(sdk, webhooks, process.argv[2] ?? ""))
  .then((told) => console.log(JSON.stringify(told)));
