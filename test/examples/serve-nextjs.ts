// Runs the examples' route handler on a port, in place of Next.js, which passes it an unchanged Request.

import { serve } from "@hono/node-server";
import { POST } from "../../examples/webhooks/nextjs.ts";

serve({ fetch: POST, port: 0, hostname: "127.0.0.1" }, (info) =>
  console.log(`listening on http://127.0.0.1:${info.port}`),
);
