import { readFileSync } from "node:fs";
import { ConsentError, MessagingClient } from "@msgctl/sdk";

const client = new MessagingClient(JSON.parse(readFileSync(".msgd/demo-credential.json", "utf8")));
try {
  const sent = await client.send.sms({ merchantId: "demo", to: "+12025550100", message: "Hello", type: "OTP" });
  console.log(sent.messageId, sent.status);
} catch (error) {
  console.error(error instanceof ConsentError ? "The recipient said no." : error);
}
