/** Of inquirer the questions that are asked here: its main package brings them all, at once 20 kB more. */
export { confirm, input, password, select } from "@inquirer/prompts";
