export { compile, TreeInterpreter, tokenize } from "@jmespath-community/jmespath";
