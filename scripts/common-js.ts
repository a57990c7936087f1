// Plug-ins for a CommonJS build of @msgctl/mocks, including the in-process server, that jest can load.

import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

/** Module for esbuild's `inject`: gives bundled libraries the same timers as the server. */
export const ownTimers = fileURLToPath(new URL("own-timers.ts", import.meta.url));

/**
 * Loads `msw` when one of its exports is first used. Its CommonJS form requires ES modules, which jest loads only if it is
 * configured to transform them.
 */
export function lazyMsw(): Plugin {
  const names = ["bypass", "delay", "http", "HttpResponse", "passthrough"];
  const contents = `
    const lazy = (name) => new Proxy(function () {}, {
      get: (_, key) => require("msw")[name][key],
      apply: (_, that, args) => Reflect.apply(require("msw")[name], that, args),
      construct: (_, args) => Reflect.construct(require("msw")[name], args),
    });
    ${names.map((name) => `export const ${name} = lazy("${name}");`).join("\n")}`;
  return {
    name: "lazy-msw",
    setup(build) {
      build.onResolve({ filter: /^msw$/ }, ({ namespace }) =>
        namespace === "lazy-msw" ? { path: "msw", external: true } : { path: "msw", namespace: "lazy-msw" },
      );
      build.onLoad({ filter: /.*/, namespace: "lazy-msw" }, () => ({ contents, loader: "js" }));
    },
  };
}
