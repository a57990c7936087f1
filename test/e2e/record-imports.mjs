// Preloaded into a built server: writes to stderr which packages it imports, and when.

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
