// Starts the backend. It reads its settings from the environment: MSGCTL_API_KEY, MSGCTL_API_SECRET, MSGCTL_BASE_URL, and
// MSGCTL_CALLBACK_SECRETS (the output of `msgd callbacks secret`; during a rotation two secrets, separated by a comma).

import type { AddressInfo } from "node:net";
import { MessagingClient } from "@msgctl/sdk";
import { createBackend } from "./backend.ts";

const port = Number(process.env.PORT ?? 4900);
const app = createBackend({
  client: new MessagingClient({ totalTimeoutMs: 15_000 }),
  merchantId: process.env.MERCHANT_ID ?? "demo",
  callbackSecrets: process.env.MSGCTL_CALLBACK_SECRETS?.split(",") ?? [],
  // the address at which the service reaches this backend; behind a proxy it differs from the address it listens on
  publicUrl: () => process.env.PUBLIC_URL ?? `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
});
await app.listen({ port, host: "127.0.0.1" });
console.log(`listening on http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
