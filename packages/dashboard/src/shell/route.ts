// Which page an address is for. The address is the view: whatever a page shows can be sent as a link.

export type Route =
  | { readonly page: "messages"; readonly query: string }
  | { readonly page: "message"; readonly messageId: string }
  | { readonly page: "requests"; readonly failedOnly: boolean }
  | { readonly page: "simulator" }
  | { readonly page: "nothing" };

const BASE = "/dashboard";

export function readRoute({ pathname, search }: Pick<URL, "pathname" | "search">): Route {
  const [first = "", second, ...more] = pathname.slice(BASE.length).split("/").filter(Boolean).map(decode);
  const values = new URLSearchParams(search);
  if (more.length > 0) return { page: "nothing" };
  if (first === "" || (first === "messages" && second === undefined)) {
    return { page: "messages", query: values.get("q") ?? "" };
  }
  if (first === "messages" && second !== undefined) return { page: "message", messageId: second };
  if (first === "requests" && second === undefined) {
    return { page: "requests", failedOnly: values.get("outcome") === "failed" };
  }
  if (first === "simulator" && second === undefined) return { page: "simulator" };
  return { page: "nothing" };
}

/** The address of a page. */
export function addressOf(route: Route): string {
  switch (route.page) {
    case "messages":
      return route.query === "" ? `${BASE}/messages` : `${BASE}/messages?${new URLSearchParams({ q: route.query })}`;
    case "message":
      return `${BASE}/messages/${encodeURIComponent(route.messageId)}`;
    case "requests":
      return route.failedOnly ? `${BASE}/requests?outcome=failed` : `${BASE}/requests`;
    case "simulator":
      return `${BASE}/simulator`;
    case "nothing":
      return BASE;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
