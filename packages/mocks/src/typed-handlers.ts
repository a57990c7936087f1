import type { paths } from "@msgctl/contract";
import { createOpenApiHttp, type OpenApiHttpHandlers } from "openapi-msw";
import { withoutSlash } from "./pattern.ts";

/** msw's `http`, typed with the contract's paths and the params, query, body and replies of each. */
export type TypedHandlers = OpenApiHttpHandlers<paths>;

/**
 * Creates handlers one by one, typed by the contract:
 * `http.get("/api/v1/merchants/{merchantId}", ({ params, response }) => response(200).json(…))`.
 */
export function createHandlers(options: {
  /** The address given to the client under test, such as `https://api.example.com`; `*` is any. */
  readonly baseUrl: string;
}): TypedHandlers {
  return createOpenApiHttp<paths>({ baseUrl: withoutSlash(options.baseUrl) });
}
