/** The clients to compare. Each has a program with a first POST, which is an example of the client's documentation. */
import { consumerFolder, peersFolder } from "./places.ts";

export interface Client {
  /** Name of the row in the table of results. The name of a peer is also the name of its package. */
  readonly name: string;
  readonly specifier: string;
  /** Folder from which the specifier is resolved. */
  readonly folder: string;
  /** Program that creates a client and sends one POST. */
  readonly firstPost: string;
}

const ownPost = '{ merchantId: "acme-dental", to: "+12025550100", message: "Your code is 417 208.", type: "OTP" }';

/** The whole client, with every resource. */
export const ownClient: Client = {
  name: "@msgctl/sdk",
  specifier: "@msgctl/sdk",
  folder: consumerFolder,
  firstPost: `
    import { MessagingClient } from "@msgctl/sdk";
    const client = new MessagingClient();
    const sent = await client.send.sms(${ownPost});
    console.log(sent.messageId, sent.status);`,
};

/** The client with one resource, for bundles that include only the code they use. */
export const ownResource: Client = {
  ...ownClient,
  name: "@msgctl/sdk, one resource",
  firstPost: `
    import { CoreClient, SendResource } from "@msgctl/sdk";
    const send = new SendResource(new CoreClient());
    const sent = await send.sms(${ownPost});
    console.log(sent.messageId, sent.status);`,
};

export const peerClients: readonly Client[] = [
  peer(
    "openapi-fetch",
    `import createClient from "openapi-fetch";
    const client = createClient({ baseUrl: "https://myapi.dev/v1/" });
    const { data, error } = await client.POST("/blogposts", { body: { title: "My New Post" } });
    console.log(data, error);`,
  ),
  peer(
    "ky",
    `import ky from "ky";
    const json = await ky.post("https://example.com", { json: { foo: true } }).json();
    console.log(json);`,
  ),
  peer(
    "resend",
    `import { Resend } from "resend";
    const resend = new Resend("re_123");
    const { data } = await resend.emails.send({
      from: "you@example.com", to: "user@gmail.com", subject: "hello world", text: "it works!",
    });
    console.log(data.id);`,
  ),
  peer(
    "stripe",
    `import Stripe from "stripe";
    const stripe = new Stripe("sk_test_123");
    const customer = await stripe.customers.create({ email: "customer@example.com" });
    console.log(customer.id);`,
  ),
  peer(
    "openai",
    `import OpenAI from "openai";
    const client = new OpenAI();
    const response = await client.responses.create({ model: "gpt-5.2", input: "Are semicolons optional?" });
    console.log(response.output_text);`,
  ),
  peer(
    "twilio",
    `import twilio from "twilio";
    const client = twilio("AC123", "token");
    const message = await client.messages.create({ body: "Hello", to: "+12025550100", from: "+12025550101" });
    console.log(message.sid);`,
  ),
];

function peer(name: string, firstPost: string): Client {
  return { name, specifier: name, folder: peersFolder, firstPost };
}
