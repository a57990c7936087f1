// Guards the control API, which has no credentials, against web pages in a developer's browser. A browser sends the
// page's origin and the host name of the URL. The host name reveals DNS rebinding to loopback.

import type { IncomingHttpHeaders } from "node:http";
import { isLoopbackName, readHostName } from "../http/host-names.ts";
import type { BareProblem } from "../http/replies/problems.ts";

/** Returns a refusal if a foreign page may have caused the request. Otherwise returns undefined. */
export function findIntrusion({ host = "", origin, ...headers }: IncomingHttpHeaders): BareProblem | undefined {
  if (!isLoopbackName(readHostName(host))) {
    return refuse("the Host header names another machine: call it as 127.0.0.1 or localhost");
  }
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    return refuse("the Origin header names another site, and web pages may not drive this server");
  }
  const site = headers["sec-fetch-site"];
  if (site === "cross-site" || site === "same-site") {
    return refuse("the browser says that another site sent the request, and web pages may not drive this server");
  }
  return undefined;
}

function refuse(reason: string): BareProblem {
  const detail = `The control API answers only programs on this machine; ${reason}.`;
  return { status: 403, code: "control_denied", detail };
}
