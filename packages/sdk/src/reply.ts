/** A reply whose body has been read, in the forms in which openapi-fetch takes it. */

/** Read whole within the attempt, so that a body that stalls or breaks off is a failed attempt like any other. */
export interface Reply {
  readonly response: Response;
  readonly text: string;
}

/** What the named methods read of a response. */
export function plainReply({ response, text }: Reply): Response {
  const { status, ok, headers, type } = response;
  const plain: Pick<Response, "status" | "ok" | "headers" | "type" | "text"> = {
    status,
    ok,
    headers,
    type,
    text: async () => text,
  };
  return plain as Response;
}

/** The response once more, for the raw client's users, who may read its body in any way. */
export function rereadable({ response, text }: Reply): Response {
  // One without a body can be read twice as it is; its status may be one that no constructor takes.
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  return new Response(text, { status, statusText, headers });
}
