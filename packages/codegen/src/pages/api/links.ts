// Links to the pages of docs/api, for each other and for other pages.
import type { Operation, Tag } from "../../model.ts";
import { toSlug } from "../markdown.ts";

/** The page of a tag, in docs/api. */
export function tagPage({ name }: Pick<Tag, "name">): string {
  return `${toSlug(name)}.md`;
}

/** Where an operation is described, in docs/api. */
export function operationPlace({ tag, summary }: Operation): string {
  return `${tagPage({ name: tag })}#${toSlug(summary)}`;
}
