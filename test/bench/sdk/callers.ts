/** Creation of each client on the stub, and the call that is timed. Limits and retries keep their defaults. */
import { replyText, stubFetch } from "./stub.ts";

type Call = () => Promise<unknown>;
type Fetch = (url: string, init: object) => Promise<Response>;

const baseUrl = "https://api.example.com";
const message = {
  merchantId: "acme-dental",
  to: "+12025550100",
  message: "Your code is 417 208. It is valid for ten minutes.",
  type: "OTP",
};
const credentials = { "x-api-key": "mkt_key", "x-api-secret": "mks_secret" };

/** The reference: one call as a careful program would write it by hand, without a client. */
export async function callRaw(): Promise<unknown> {
  const send: Fetch = stubFetch;
  const response = await send(`${baseUrl}/api/v1/messages/sms`, {
    method: "POST",
    headers: { ...credentials, "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(message),
  });
  return JSON.parse(await response.text());
}

/** Callers by the client's name. Imported on demand, so that each process loads one client. */
export const callers: Readonly<Record<string, () => Promise<Call>>> = {
  async "@msgctl/sdk"() {
    const { MessagingClient } = await load<typeof import("@msgctl/sdk")>("@msgctl/sdk");
    const client = new MessagingClient({ apiKey: "mkt_key", apiSecret: "mks_secret", baseUrl, fetch: stubFetch });
    return () => client.send.sms({ ...message, type: "OTP" });
  },

  async "openapi-fetch"() {
    const { default: createClient } = await load<{
      default: (options: object) => { POST(path: string, init: object): Promise<{ data?: unknown }> };
    }>("openapi-fetch");
    const client = createClient({ baseUrl, headers: credentials, fetch: stubFetch });
    return async () => (await client.POST("/api/v1/messages/sms", { body: message })).data;
  },

  async ky() {
    const { default: ky } = await load<{
      default: { post(url: string, options: object): { json(): Promise<unknown> } };
    }>("ky");
    const options = { json: message, headers: credentials, fetch: stubFetch };
    return () => ky.post(`${baseUrl}/api/v1/messages/sms`, options).json();
  },

  async resend() {
    // This client accepts no fetch function.
    globalThis.fetch = stubFetch;
    const { Resend } = await load<{
      Resend: new (key: string) => { emails: { send(email: object): Promise<{ data: unknown }> } };
    }>("resend");
    const resend = new Resend("re_123");
    const email = { from: "a@example.com", to: "b@example.com", subject: "Your code", text: message.message };
    return async () => (await resend.emails.send(email)).data;
  },

  async stripe() {
    const { default: Stripe } = await load<{
      default: {
        new (key: string, options: object): { customers: { create(customer: object): Promise<unknown> } };
        createFetchHttpClient(fetch: Fetch): object;
      };
    }>("stripe");
    const stripe = new Stripe("sk_test_123", { httpClient: Stripe.createFetchHttpClient(stubFetch) });
    const customer = { email: "b@example.com", name: "Acme Dental", phone: message.to, description: message.message };
    return () => stripe.customers.create(customer);
  },

  async openai() {
    const { default: OpenAI } = await load<{
      default: new (options: object) => { responses: { create(request: object): Promise<unknown> } };
    }>("openai");
    const client = new OpenAI({ apiKey: "sk-123", fetch: stubFetch });
    return () => client.responses.create({ model: "gpt-5.2", input: message.message });
  },

  async twilio() {
    const { default: twilio } = await load<{
      default: (
        account: string,
        token: string,
        options: object,
      ) => { messages: { create(sms: object): Promise<unknown> } };
    }>("twilio");
    // twilio uses axios and accepts no fetch function. This is the smallest replacement client.
    const request = async ({ uri, ...init }: { uri: string }) => {
      const send: Fetch = stubFetch;
      const response = await send(uri, init);
      return { statusCode: response.status, body: await response.text(), headers: {} };
    };
    const client = twilio(`AC${"0".repeat(32)}`, "token", { httpClient: { request } });
    return () => client.messages.create({ body: message.message, to: message.to, from: "+12025550101" });
  },
};

/** Fails unless the call returns the stub's reply, so that a fast failure is not timed as a fast call. */
export async function checkCall(name: string, call: Call): Promise<void> {
  const data = (await call()) as { status?: unknown } | null;
  const { status } = JSON.parse(replyText) as { status: string };
  if (data?.status !== status) throw new Error(`${name} gave ${JSON.stringify(data)} instead of the stub's reply`);
}

function load<Module>(specifier: string): Promise<Module> {
  return import(specifier) as Promise<Module>;
}
