/**
 * Replaces commander's own help in the bundle (tsup.config.ts). Commands print our help (configureHelp). commander uses this
 * class only to list the commands and flags that it may suggest for a misspelt one.
 */
import { withoutStyle } from "../output/text/style.ts";

interface Parsed<Word, Flag> {
  commands: readonly Word[];
  options: readonly Flag[];
  _getHelpCommand(): Word | null;
  _getHelpOption(): Flag | null;
}

export class Help {
  prepareContext(): void {}

  visibleCommands<Word>(command: Parsed<Word, unknown>): Word[] {
    return [...command.commands, command._getHelpCommand()].filter((word) => word !== null);
  }

  visibleOptions<Flag>(command: Parsed<unknown, Flag>): Flag[] {
    return [...command.options, command._getHelpOption()].filter((flag) => flag !== null);
  }
}

export { withoutStyle as stripColor };
