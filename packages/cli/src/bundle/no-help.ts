/**
 * Replaces commander's own help in the bundle (tsup.config.ts). Each command has our help (configureHelp), so this class
 * provides only the words and flags among which commander looks for suggestions.
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
