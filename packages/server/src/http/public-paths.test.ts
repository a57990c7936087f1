// Checks that the public and the private paths in the proxy's configuration together cover all routes of the server.

import fastify, { type FastifyInstance } from "fastify";
import { expect, it } from "vitest";
import { createMessageTokens } from "../domain/message-tokens.ts";
import { privatePaths, publicPaths } from "../domain/public-paths.ts";
import { openInMemoryService, pepper } from "../testing/in-memory-service.ts";
import { addCarrierEventsRoute } from "./carrier-events.ts";
import { addSpeechRoute } from "./speech.ts";
import { addUnsubscribeRoutes } from "./unsubscribe.ts";

const urlOf = (path: string) => new URL(`../../../../${path}`, import.meta.url);
const contractFiles = { yaml: urlOf("openapi.yaml"), json: urlOf("openapi.json"), docs: urlOf("docs/") };

/**
 * Reads the routes from fastify's tree, in which each line continues the path of the line above that it is indented
 * from.
 */
async function listRoutes(app: FastifyInstance): Promise<string[]> {
  await app.ready();
  const parents: string[] = [];
  return [...app.printRoutes({ commonPrefix: false }).matchAll(/^((?:│ {3}| {4})*)[├└]── (\S+) \(/gm)].map(
    ([, indent = "", part = ""]) => {
      const depth = indent.length / 4;
      const path = `${depth === 0 ? "" : parents[depth - 1]}${part}`;
      parents[depth] = path;
      return path;
    },
  );
}

it("each route is public or private", async () => {
  const service = await openInMemoryService({ isDevelopment: true, contractFiles });
  const app = fastify();
  const { store, clock } = service;
  addCarrierEventsRoute(app, { findReceiver: () => undefined });
  addSpeechRoute(app, { findFile: async () => undefined });
  addUnsubscribeRoutes(app, { store, clock, tokens: createMessageTokens(pepper, "unsubscribe") });
  const routes = [...(await listRoutes(service.app)), ...(await listRoutes(app))];
  await app.close();
  await service.close();

  const paths = [...publicPaths.map(({ path }) => path), ...privatePaths];
  const isBelow = (route: string, path: string) =>
    route === path || (path !== "/" && route.startsWith(path.replace(/\/?$/, "/")));
  expect(routes.filter((route) => !paths.some((path) => isBelow(route, path)))).toEqual([]);
  const unserved = paths.filter((path) => !routes.some((route) => isBelow(route, path)));
  // the dashboard has an app of its own, which gets requests without a route
  expect(unserved).toEqual(["/dashboard"]);
});
