import type { Credential } from "./msgd-process.ts";

export type Post = (path: string, body: object, headers?: Readonly<Record<string, string>>) => Promise<Response>;

/** Creates a function that posts to a server with a credential, and accepts any status. */
export function createPost(baseUrl: string, { apiKey, apiSecret }: Credential): Post {
  const own = { "content-type": "application/json", "x-api-key": apiKey, "x-api-secret": apiSecret };
  return (path, body, headers) =>
    fetch(baseUrl + path, { method: "POST", headers: { ...own, ...headers }, body: JSON.stringify(body) });
}
