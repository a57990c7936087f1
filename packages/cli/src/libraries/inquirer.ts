/** Only the inquirer prompts used here: its main package brings all of them, 20 kB more. */
export { confirm, input, password, select } from "@inquirer/prompts";
