// Preloaded into a built server: writes the name of each package to stderr when the server imports it.

import { register } from "node:module";

const hooks = `
  export async function resolve(specifier, context, next) {
    const resolved = await next(specifier, context);
    const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(resolved.url) ?? [];
    if (name !== undefined) process._rawDebug("imports " + name);
    return resolved;
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
process.channel?.unref();
