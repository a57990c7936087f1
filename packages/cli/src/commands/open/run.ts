import { resolveAccess } from "../../call/access/resolve-access.ts";
import { UsageError } from "../../failures/errors.ts";
import { canonicalBaseUrl } from "../../flags/base-url.ts";
import type { CommandRun } from "../../model/catalog.ts";
import { openLine } from "../../operation/open-line.ts";
import { NO_ADDRESS, previewAccess } from "../../operation/preview/preview-access.ts";
import { isAutomated } from "../../process/config.ts";
import { pagePath } from "./pages.ts";

export const runOpen: CommandRun = async (line, io, context) => {
  const { settings, options, refuse, print } = await openLine(line, io, context);
  refuse([]);
  const words = [...line.arguments.values()];
  const path = await pagePath(words, context.catalog);
  if (path === undefined) {
    const named = words.filter((word) => word !== "").join(" ");
    throw new UsageError(`there is no page ${JSON.stringify(named)}`, [
      "Run `msgctl open --help` to see the pages, or `msgctl open docs` for the documentation.",
    ]);
  }
  const resolve = () => resolveAccess(options, settings, io.cwd);
  const { baseUrl } = await previewAccess(resolve, [options.baseUrl, settings.baseUrl]);
  // if there is no address, this throws an error that says how to configure one
  if (baseUrl === NO_ADDRESS) resolve();
  const url = canonicalBaseUrl(baseUrl) + path;
  const isForPeople = io.stdout.isTTY && options.output === "table" && !isAutomated(io.env);
  if (isForPeople && (await io.openBrowser(url))) {
    if (!options.quiet) io.stderr.write(`Opened ${url} in the browser.\n`);
  } else await print(url);
};
