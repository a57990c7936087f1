/** The inquirer prompts that msgctl uses. inquirer's main package would add 20 kB for prompts that it does not use. */
export { confirm, input, password, select } from "@inquirer/prompts";
