import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { createSender } from "../../call/node-transport.ts";
import { directEvents } from "./demo-events.ts";

const send = createSender(undefined);
const url = "http://127.0.0.1:4810/";

/** Starts a demo server with this answer to PUT, and records its requests. */
async function start(answer: (response: ServerResponse) => void) {
  const asked: string[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    asked.push(`${request.method} ${request.url} ${await text(request)}`.trimEnd());
    if (request.method === "PUT") answer(response);
    else response.writeHead(204).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const had = (before: string | null) => (response: ServerResponse) => void response.end(JSON.stringify({ url: before }));
const PATH = "/control/event-subscription";

it("the demo server's events come here, and nowhere afterwards", async () => {
  const { asked, baseUrl } = await start(had(null));
  const directed = await directEvents({ baseUrl, url }, send);
  expect(asked).toEqual([`PUT ${PATH} {"url":"${url}"}`]);
  await directed?.putBack();
  expect(asked.slice(1)).toEqual([`DELETE ${PATH}`]);
});

it("a URL of before is set again", async () => {
  const { asked, baseUrl } = await start(had("http://127.0.0.1:3000/events"));
  await (await directEvents({ baseUrl, url }, send))?.putBack();
  expect(asked.at(-1)).toBe(`PUT ${PATH} {"url":"http://127.0.0.1:3000/events"}`);
});

it("a URL that an earlier listener left behind is removed", async () => {
  const { asked, baseUrl } = await start(had(url));
  await (await directEvents({ baseUrl, url }, send))?.putBack();
  expect(asked.at(-1)).toBe(`DELETE ${PATH}`);
});

it("an older server, and one that does not run, are left alone", async () => {
  const { baseUrl } = await start((response) => void response.writeHead(404).end("{}"));
  expect(await directEvents({ baseUrl, url }, send)).toBeUndefined();
  expect(await directEvents({ baseUrl: "http://127.0.0.1:1", url }, send)).toBeUndefined();
});
