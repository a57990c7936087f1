export { default } from "inquirer";
