// Runs the examples' Lambda function behind a port, as API Gateway would: with the body as text, or in base64.

import { serve } from "@hono/node-server";
import { handler } from "../../examples/webhooks/lambda.ts";

const isBase64Encoded = process.env.LAMBDA_BODY === "base64";

async function invoke(request: Request): Promise<Response> {
  const body = Buffer.from(await request.arrayBuffer()).toString(isBase64Encoded ? "base64" : "utf8");
  const { statusCode } = await handler({ headers: Object.fromEntries(request.headers), body, isBase64Encoded });
  return new Response(null, { status: statusCode });
}

serve({ fetch: invoke, port: 0, hostname: "127.0.0.1" }, (info) =>
  console.log(`listening on http://127.0.0.1:${info.port}`),
);
