export { compile, TreeInterpreter } from "@jmespath-community/jmespath";
