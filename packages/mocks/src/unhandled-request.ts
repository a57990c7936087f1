// Callbacks that msw calls for a request without a handler: one for msw 2, one for msw 3. Their types are declared here,
// because neither version of msw exports both.

import { HttpResponse } from "msw";

/** For msw 2: `server.listen({ onUnhandledRequest })`. */
export type OnUnhandledRequest = (request: Request, print: { warning(): void; error(): void }) => void;

/** For msw 3: `server.listen({ onUnhandledFrame })`. */
export type OnUnhandledFrame = (unhandled: {
  readonly frame: { readonly protocol: string; readonly data: unknown };
  readonly defaults: { warn(): void; error(): void };
}) => void;

export interface UnhandledRequest {
  readonly onUnhandledRequest: OnUnhandledRequest;
  readonly onUnhandledFrame: OnUnhandledFrame;
}

/** Prints the explanation of a request and makes the request fail. If there is no explanation, msw warns as usual. */
export function refuseUnhandled(explain: (method: string, url: URL) => string | undefined): UnhandledRequest {
  const onUnhandledRequest: OnUnhandledRequest = ({ method, url }, print) => {
    const explained = explain(method, new URL(url));
    if (explained === undefined) {
      print.warning();
      return;
    }
    console.error(explained);
    // msw would turn an error into a 500 reply; this makes fetch reject, as without a network
    throw HttpResponse.error();
  };
  return {
    onUnhandledRequest,
    onUnhandledFrame({ frame: { protocol, data }, defaults: { warn, error } }) {
      // the other frames are WebSockets, which this API does not use
      if (protocol === "http") onUnhandledRequest((data as { request: Request }).request, { warning: warn, error });
      else warn();
    },
  };
}
