// Runs the examples' fetch handler on a port, in place of an edge worker's runtime.

import { serve } from "@hono/node-server";
import worker from "../../examples/webhooks/fetch.ts";

const environment = { MSGCTL_CALLBACK_SECRETS: process.env.MSGCTL_CALLBACK_SECRETS ?? "" };
serve({ fetch: (request) => worker.fetch(request, environment), port: 0, hostname: "127.0.0.1" }, (info) =>
  console.log(`listening on http://127.0.0.1:${info.port}`),
);
