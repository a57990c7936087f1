/** Only the questions of inquirer that are asked here: its main package brings all of them, 20 kB more. */
export { confirm, input, password, select } from "@inquirer/prompts";
