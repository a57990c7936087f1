// Reads the exports of the SDK's entries with TypeScript. Their documentation is the text of the doc comments.
import { dirname } from "node:path";
import ts from "typescript";

export interface Member {
  name: string;
  /** Signature as callers see it: `sms(body: V1OmniSmsSendRequest, options?: WriteOptions): ApiCall<DispatchResponse>`. */
  signature: string;
  documentation: string;
  tags: readonly Tag[];
}

interface Tag {
  name: string;
  text: string;
}

export interface Declaration extends Member {
  /** `contract`: a type from `generated/types`, which describes a request, a reply, or a value in one of them. */
  kind: "class" | "function" | "interface" | "type" | "contract";
  /** Name of the class that it extends. */
  base: string | undefined;
  members: readonly Member[];
}

/** The exports of each module, sorted by name. */
export function readDeclarations(entries: readonly string[], configFile: string): Declaration[][] {
  const { config } = ts.readConfigFile(configFile, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(configFile));
  const program = ts.createProgram(entries, { ...options, noEmit: true });
  return entries.map((entry) => readExports(program, entry));
}

function readExports(program: ts.Program, entry: string): Declaration[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${entry} exports nothing.`);
  return checker
    .getExportsOfModule(module)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
    .flatMap((symbol) => describe(checker, symbol))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function describe(checker: ts.TypeChecker, symbol: ts.Symbol): Declaration[] {
  const [node] = symbol.declarations ?? [];
  if (node === undefined) return [];
  if (ts.isTypeAliasDeclaration(node) && node.getSourceFile().fileName.endsWith("/generated/types.ts"))
    return [describeContractType(checker, symbol, node)];
  const kind = kindOf(node);
  if (kind === undefined) return [];
  const base = ts.isClassDeclaration(node) ? node.heritageClauses?.[0]?.types[0]?.expression.getText() : undefined;
  const members = ts.isClassDeclaration(node) ? membersOf(checker, node) : [];
  // the comments inside an interface document its fields
  const signature = kind === "interface" ? node.getText().replace(/^export /, "") : signatureOf(node);
  return [{ ...wordsOf(checker, symbol), kind, base, members, signature }];
}

/** Expands a contract type, since its alias in the source does not show its fields. */
function describeContractType(checker: ts.TypeChecker, symbol: ts.Symbol, node: ts.TypeAliasDeclaration): Declaration {
  const type = checker.getTypeAtLocation(node);
  const fields = type.flags & ts.TypeFlags.Object ? checker.getPropertiesOfType(type) : [];
  const lines = fields.map((field) => `  ${contractText(field)};\n`);
  const signature =
    fields.length > 0
      ? `interface ${symbol.name} {\n${lines.join("")}}`
      : `type ${symbol.name} = ${contractText(schemaOf(checker, node)).replace(/^\w+: /, "")};`;
  return { ...wordsOf(checker, symbol), kind: "contract", base: undefined, members: [], signature };
}

/** Finds the schema behind an alias such as `Schemas["Channel"]`. The checker's own text would reorder a union. */
function schemaOf(checker: ts.TypeChecker, { name, type }: ts.TypeAliasDeclaration): ts.Symbol {
  const from = ts.isIndexedAccessTypeNode(type) ? checker.getTypeFromTypeNode(type.objectType) : undefined;
  const schema = from?.getProperty(name.text);
  if (schema === undefined) throw new Error(`${name.text} is not a schema of the contract.`);
  return schema;
}

/** The text of the contract's own type, with schemas named by their exports. */
function contractText(field: ts.Symbol): string {
  const [node] = field.declarations ?? [];
  if (node === undefined) throw new Error(`${field.name} has no declaration.`);
  return signatureOf(node).replaceAll(/components\["schemas"\]\["(\w+)"\]/g, "$1");
}

function kindOf(node: ts.Declaration): Declaration["kind"] | undefined {
  if (ts.isClassDeclaration(node)) return "class";
  if (ts.isFunctionDeclaration(node)) return "function";
  if (ts.isInterfaceDeclaration(node)) return "interface";
  return ts.isTypeAliasDeclaration(node) ? "type" : undefined;
}

/** The members that a caller may use, in source order; an overload is listed once. */
function membersOf(checker: ts.TypeChecker, node: ts.ClassDeclaration): Member[] {
  const seen = new Set<string>();
  return [...node.members].flatMap((member) => {
    const symbol = member.name && checker.getSymbolAtLocation(member.name);
    if (symbol === undefined || isHidden(member) || seen.has(symbol.name)) return [];
    seen.add(symbol.name);
    return [{ ...wordsOf(checker, symbol), signature: memberSignature(checker, member) }];
  });
}

function isHidden(member: ts.ClassElement): boolean {
  const flags = ts.getCombinedModifierFlags(member);
  return (
    (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0 ||
    (member.name !== undefined && ts.isPrivateIdentifier(member.name)) ||
    ts.getJSDocTags(member).some(({ tagName }) => tagName.text === "internal")
  );
}

/** The signature with its type, even if the source infers it from the initializer. */
function memberSignature(checker: ts.TypeChecker, member: ts.ClassElement): string {
  const signature = signatureOf(member).replace(/^override /, "");
  if (!ts.isPropertyDeclaration(member) || member.type !== undefined) return signature;
  return `${signature}: ${checker.typeToString(checker.getTypeAtLocation(member))}`;
}

/** The source on one line, without body, comments and initializer. */
function signatureOf(node: ts.Node): string {
  const source = node.getSourceFile();
  const start = node.getStart(source);
  const end = endOfSignature(node);
  const text = source.text.slice(start, end).replaceAll(/\/\*\*?[\s\S]*?\*\//g, "");
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\( | (?=\))/g, (blank) => blank.trim())
    .replaceAll(",)", ")")
    .replace(/^export /, "")
    .replace(/[;{=\s]+$/, "")
    .trim();
}

function endOfSignature(node: ts.Node): number {
  if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) return (node.body as ts.Node).pos;
  if (ts.isPropertyDeclaration(node) && node.initializer !== undefined) return node.initializer.pos - 1;
  return node.end;
}

function wordsOf(checker: ts.TypeChecker, symbol: ts.Symbol): Pick<Member, "name" | "documentation" | "tags"> {
  return {
    name: symbol.name,
    documentation: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
    tags: symbol.getJsDocTags(checker).map(({ name, text }) => ({ name, text: ts.displayPartsToString(text) })),
  };
}
