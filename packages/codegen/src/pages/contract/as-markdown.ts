// Renders the contract's pages for docs/api and docs/errors. Pages that name the same file become parts of that file.
import { posix } from "node:path";
import type { Contract } from "../../model.ts";
import type { PageSet } from "../../page-set.ts";
import { code, fenced, link, list, markdownPage, table, toSlug } from "../markdown.ts";
import { composePages, errorHref, hrefOf, START } from "./compose.ts";
import type { Block, Field, Page, Prose, Section } from "./page.ts";

export const pageSet: PageSet<Contract> = {
  folders: ["docs/api", "docs/errors"],
  render(contract) {
    const pages = composePages(contract);
    const files = new Map(pages.filter(({ samples }) => !samples).map((page) => [page.file, renderPage(page, pages)]));
    for (const tag of contract.tags) {
      const own = pages.filter(({ above }) => above === tag.name);
      const [file] = own.map((page) => page.file);
      if (file !== undefined) files.set(file, renderTag(tag, file, own, pages));
    }
    return new Map([...files].map(([file, parts]) => [file, markdownPage("openapi.yaml", parts)]));
  },
};

/** A page with its own file. */
function renderPage(page: Page, pages: readonly Page[]): string[] {
  return renderWhole(page, createRenderer(pathsFrom(page.file, pages)));
}

/** A page as a document of its own. */
export function renderWhole(page: Page, render: Renderer): string[] {
  return [
    `# ${page.title}`,
    render.prose([page.above, routeOf(page)].filter(Boolean).join(" · ")),
    ...page.intro.flatMap(render.block),
    ...page.sections.flatMap((section) => [`## ${headingOf(section)}`, ...section.blocks.flatMap(render.block)]),
  ];
}

/** The operations of a tag, with examples before the reference. */
function renderTag(
  tag: { name: string; description: string },
  file: string,
  operations: readonly Page[],
  pages: readonly Page[],
): string[] {
  const render = createRenderer(pathsFrom(file, pages));
  return [
    `# ${tag.name}`,
    render.prose(`[All operations](${START})`),
    tag.description,
    ...operations.flatMap((page) => [
      `## ${page.title}`,
      render.prose(routeOf(page)),
      ...page.intro.flatMap(render.block),
      ...[...(page.samples ?? []), ...page.sections].flatMap((section) => {
        const parts = section.blocks.flatMap(render.block);
        return parts.length === 0 ? [] : [boldHeading(section), ...parts];
      }),
    ]),
  ];
}

function routeOf({ route }: Page): Prose {
  if (route === undefined) return "";
  return [code(`${route.method} ${route.path}`), ...(route.also === undefined ? [] : [route.also])].join(" · ");
}

function headingOf({ title, status }: Section): string {
  return status === undefined ? title : `${title}: ${status}`;
}

function boldHeading({ title, status }: Section): string {
  return status === undefined ? `**${title}**` : `**${title}**: ${status}`;
}

/** Writes the path to a page of msgd as a link of another medium; undefined if that has no such page. */
type PathTo = (href: string) => string | undefined;

/** The paths within the repository, relative to a file. */
function pathsFrom(file: string, pages: readonly Page[]): PathTo {
  const targets = new Map(pages.map((page) => [page.href, targetOf(page)]));
  return (href) => {
    const [path = "", anchor] = href.split("#", 2);
    const [target = "", inner] = (targets.get(path) ?? fileOf(path)).split("#", 2);
    if (target === "") return undefined;
    const to = target === file ? "" : posix.relative(posix.dirname(file), target);
    return [to, ...((anchor ?? inner) ? [anchor ?? inner] : [])].join("#");
  };
}

export type Renderer = ReturnType<typeof createRenderer>;

/** Renders the parts of a page as Markdown. */
export function createRenderer(pathTo: PathTo) {
  const linkTo = (words: string, href: string) => {
    const path = pathTo(href);
    return path === undefined ? words : link(words, path);
  };
  const prose = (text: Prose) =>
    text.trim().replaceAll(/\[([^\]]+)\]\((\/[^)\s]*)\)/g, (_, words: string, href: string) => linkTo(words, href));

  function block(part: Block, isFolded = false): string[] {
    switch (part.kind) {
      case "text":
        return part.text.trim() === "" ? [] : [prose(part.text)];
      case "heading":
        return [`### ${part.text}`];
      case "list":
        return [list(part.items.map(prose))];
      case "code":
        return [fenced(part.language, part.text)];
      case "variables":
        return [fenced("sh", part.text)];
      case "calls":
        return [fenced("sh", part.calls.curl)];
      case "fields":
        return part.fields.length === 0
          ? []
          : [table(["Field", "Type", "Meaning"], rowsOf(part.fields, part.isRequest))];
      case "operations":
        return [
          table(
            ["Operation", "Request", "Terminal"],
            part.operations.map((operation) => {
              const { summary, method, path, command } = operation;
              const terminal = `msgctl ${command.group} ${command.name}`;
              return [linkTo(summary, hrefOf(operation)), code(`${method} ${path}`), code(terminal)];
            }),
          ),
        ];
      case "errors": {
        const rows = part.problems.map(({ status, code: name, cause }) => {
          return [String(status), linkTo(code(name), errorHref(name)), prose(cause)];
        });
        return [isFolded ? rows.map(([, name]) => name).join(", ") : table(["Status", "Code", "When"], rows)];
      }
      case "fold":
        return [`${part.title}:`, ...block(part.block, true)];
      case "form":
        return [];
    }
  }

  /** Nested fields are named by their path: `sipUsers[].email`. */
  function rowsOf(fields: readonly Field[], isRequest: boolean, prefix = ""): string[][] {
    return fields.flatMap((field) => {
      const path = `${prefix}${field.name}`;
      const mark = isRequest && field.isRequired ? " (required)" : "";
      return [
        [`${code(path)}${mark}`, typeOf(field), prose(field.description)],
        ...rowsOf(field.fields, isRequest, `${path}${field.isList ? "[]" : ""}.`),
      ];
    });
  }

  return { prose, block: (part: Block) => block(part) };
}

/** A type with values or limits. */
function typeOf({ type, values, isOpen, limits, isSecret }: Field): string {
  const known = values.map(code).join(", ");
  const orNull = / or null$/.test(type) ? " or null" : "";
  const kind = known === "" ? type : `${/^list/.test(type) ? "list of " : ""}${known}${orNull}`;
  return [kind, ...(isOpen ? ["new values may be added"] : []), ...limits, ...(isSecret ? ["secret"] : [])].join("; ");
}

function targetOf({ file, samples, title }: Page): string {
  return samples === undefined ? file : `${file}#${toSlug(title)}`;
}

/** The repository file for a path that is not a page of the contract; empty if only a running server has the path. */
function fileOf(path: string): string {
  if (path === "/openapi.yaml") return "openapi.yaml";
  return path.startsWith("/cli/") ? `docs${path}.md` : "";
}
