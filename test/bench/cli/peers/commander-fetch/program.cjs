// The simplest program that sends one GET request: commander, and Node's own fetch.

const process = require("node:process");
const { Command } = require("commander");

/** @param {{ baseUrl: string }} options */
async function listMerchants({ baseUrl }) {
  const reply = await fetch(`${baseUrl}/api/v1/merchants`, { headers: { "x-api-key": "bench" } });
  console.log(JSON.stringify(await reply.json(), null, 2));
  if (!reply.ok) process.exitCode = 1;
}

const program = new Command("anchor");
const merchants = program.command("merchants").description("Merchants of the tenant.");
merchants
  .command("list")
  .description("List the merchants of the tenant.")
  .requiredOption("--base-url <url>", "Address of the service.")
  .action(listMerchants);
void program.parseAsync(process.argv);
