// @ts-nocheck: only the bench installs @oclif/core
// One command, with an argument and a flag.

const { Args, Command, Flags } = require("@oclif/core");

class Hello extends Command {
  static args = { person: Args.string({ description: "The person to greet.", required: true }) };
  static description = "Greet somebody.";
  static examples = ["<%= config.bin %> <%= command.id %> Ann --from Bob"];
  static flags = { from: Flags.string({ char: "f", description: "Who greets.", required: true }) };

  async run() {
    const { args, flags } = await this.parse(Hello);
    this.log(`Hello ${args.person} from ${flags.from}.`);
  }
}

module.exports = Hello;
