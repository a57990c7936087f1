// Checks whether programs that compiled with recorded declarations of the SDK also compile with later ones. Compatible
// additions are a method, an optional argument or field, and a value of a request field. All other changes are breaks. An
// added value is a break, too, if a callback receives it from the caller's own input, as for the row's key of `send.many`.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "./packed.ts";

/** Text of declaration files by name: `index.d.ts`, `webhooks.d.ts` and the files that they share. */
export type Declarations = Readonly<Record<string, string>>;

export const recordedFolder = join(root, "test/packages/recorded");

const entries = ["index", "webhooks"];

export function readDeclarations(folder: string): Declarations {
  const names = readdirSync(folder).filter((name) => name.endsWith(".d.ts"));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

const NOTE = "// Recorded from the built package by npm run record:types. Do not edit.";

/** The files of `recordedFolder` for a built package. */
export function toRecord(folder: string): Declarations {
  const declarations = Object.entries(plain(readDeclarations(folder)));
  return Object.fromEntries(declarations.map(([name, text]) => [name, `${NOTE}\n\n${text}`]));
}

/** Converts declarations to their recorded form: without comments, with names that do not change with every build. */
export function plain(declarations: Declarations): Declarations {
  const chunks = Object.keys(declarations).filter((name) => !entries.includes(name.replace(".d.ts", "")));
  const renamed = new Map(chunks.sort().map((name, index) => [name.replace(".d.ts", ""), `shared${index || ""}`]));
  const printed = Object.entries(declarations).map(([name, text]) => {
    let printedText = ts.createPrinter({ removeComments: true }).printFile(parse(name, text));
    let printedName = name;
    for (const [from, to] of renamed) {
      printedText = printedText
        .replaceAll(`"./${from}.js"`, `"./${to}.js"`)
        .replaceAll(`'./${from}.js'`, `"./${to}.js"`);
      if (name === `${from}.d.ts`) printedName = `${to}.d.ts`;
    }
    return [printedName, printedText] as const;
  });
  return Object.fromEntries(printed);
}

/**
 * Lists the compiler's errors for each version of later declarations. A list is empty if all programs compile.
 *
 * @throws {Error} If the comparison itself does not compile, and so would find nothing.
 */
export function breaksIn<Version extends string>(
  later: Readonly<Record<Version, Declarations>>,
  recorded: Declarations,
): Record<Version, string[]> {
  const versions = Object.entries(later) as [Version, Declarations][];
  const files = new Map<string, string>([[at("openapi-fetch.d.ts"), RAW_CLIENT]]);
  const add = (folder: string, declarations: Declarations) => {
    const own = classesOfOwnMaking(declarations);
    for (const [name, text] of Object.entries(declarations))
      files.set(at(`${folder}/${name}`), comparable(name, text, own));
  };
  add("recorded", recorded);
  const exported = exportsOf(files);
  versions.forEach(([, declarations], index) => {
    add(`later${index}`, declarations);
    for (const entry of entries) files.set(at(`${entry}${index}.ts`), assertions(entry, `later${index}`, exported));
  });
  const program = programOf(files);
  const faultsOf = (name: string) => program.getSemanticDiagnostics(program.getSourceFile(at(name)));
  const misread = Object.keys(recorded)
    .flatMap((name) => faultsOf(`recorded/${name}`))
    .filter(({ code }) => !EXPECTED_OF_COPIES.includes(code));
  if (misread.length > 0)
    throw new Error(`The recorded declarations do not compile:\n${misread.map(described).join("\n")}`);
  return Object.fromEntries(
    versions.map(([version], index) => [
      version,
      entries.flatMap((entry) => faultsOf(`${entry}${index}.ts`)).map(described),
    ]),
  ) as Record<Version, string[]>;
}

/** Error codes for a method that became a property although the base class has a method or an accessor. */
const EXPECTED_OF_COPIES = [2425, 2426];

/**
 * A simplified type of openapi-fetch's client: paths and methods. The real type would compare the structure of two contracts,
 * and report additions as breaks. Bodies and replies are the same as those of the SDK's methods, which are compared.
 */
const RAW_CLIENT = `export type Client<Paths> = {
  readonly [Path in keyof Paths]: {
    readonly [Method in keyof Paths[Path] as Paths[Path][Method] extends object ? Method : never]: true
  }
};`;

const at = (name: string) => join(root, "test/packages/compared", name);

/**
 * Rewrites declarations for the comparison. `#private` and unique symbols are removed, because they match only themselves. A
 * method becomes a property that holds a function, because TypeScript allows narrower parameters of methods. A parameter whose
 * values only the SDK creates is compared by its class name, because members added to the class break no program.
 */
function comparable(name: string, text: string, own: ReadonlySet<string>): string {
  const visit = (node: ts.Node): ts.Node | undefined => {
    if (ts.isParameter(node) && node.type && ts.isTypeReferenceNode(node.type) && own.has(node.type.getText())) {
      const type = ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(node.type.getText()));
      const { dotDotDotToken, questionToken } = node;
      return ts.factory.createParameterDeclaration(undefined, dotDotDotToken, node.name, questionToken, type);
    }
    if (ts.isPropertyDeclaration(node) && ts.isPrivateIdentifier(node.name)) return undefined;
    if (ts.isVariableDeclaration(node) && node.type?.getText() === "unique symbol") {
      const type = ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(node.name.getText()));
      return ts.factory.createVariableDeclaration(node.name, undefined, type);
    }
    if (ts.isMethodDeclaration(node)) {
      const modifiers = node.modifiers?.filter(({ kind }) => kind === ts.SyntaxKind.StaticKeyword);
      return ts.factory.createPropertyDeclaration(
        modifiers,
        node.name,
        node.questionToken,
        functionType(node),
        undefined,
      );
    }
    if (ts.isMethodSignature(node))
      return ts.factory.createPropertySignature(
        ...([
          undefined,
          node.name,
          node.questionToken,
          ts.visitEachChild(functionType(node), visit, undefined),
        ] as const),
      );
    return ts.visitEachChild(node, visit, undefined);
  };
  const file = parse(name, text);
  const changed = ts.visitEachChild(file, visit, undefined);
  return ts
    .createPrinter()
    .printFile(changed)
    .replace(/from ["']openapi-fetch["']/, 'from "../openapi-fetch.js"');
}

/** Classes with a `#private` field, and their subclasses. TypeScript accepts only their instances for them. */
function classesOfOwnMaking(declarations: Declarations): ReadonlySet<string> {
  const classes = Object.entries(declarations)
    .flatMap(([name, text]) => [...parse(name, text).statements])
    .filter(ts.isClassDeclaration);
  const own = new Set<string>();
  for (let known = -1; known < own.size; ) {
    known = own.size;
    for (const { name, members, heritageClauses = [] } of classes) {
      const isPrivate = members.some((member) => member.name && ts.isPrivateIdentifier(member.name));
      const parents = heritageClauses.flatMap(({ types }) => types.map(({ expression }) => expression.getText()));
      if (name && (isPrivate || parents.some((parent) => own.has(parent)))) own.add(name.text);
    }
  }
  return own;
}

function functionType({
  typeParameters,
  parameters,
  type,
}: ts.MethodDeclaration | ts.MethodSignature): ts.FunctionTypeNode {
  const returned = type ?? ts.factory.createKeywordTypeNode(ts.SyntaxKind.AnyKeyword);
  return ts.factory.createFunctionTypeNode(typeParameters, parameters, returned);
}

interface Exported {
  readonly name: string;
  readonly isClass: boolean;
  readonly isType: boolean;
  readonly typeParameters: number;
}

/** Names that each recorded entry exports. */
function exportsOf(files: ReadonlyMap<string, string>): ReadonlyMap<string, readonly Exported[]> {
  const program = programOf(files);
  const checker = program.getTypeChecker();
  const read = (entry: string): Exported[] => {
    const file = program.getSourceFile(at(`recorded/${entry}.d.ts`));
    const module = file && checker.getSymbolAtLocation(file);
    if (file === undefined || module === undefined)
      throw new Error(`recorded/${entry}.d.ts is missing, or exports nothing.`);
    const values = checker.getTypeOfSymbolAtLocation(module, file);
    return checker.getExportsOfModule(module).map((symbol) => {
      const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
      const { flags, declarations = [] } = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
      const generic = declarations.find((node) => "typeParameters" in node) as ts.TypeAliasDeclaration | undefined;
      return {
        name: symbol.name,
        // a class that is exported only as a type cannot be constructed
        isClass: (flags & ts.SymbolFlags.Class) !== 0 && values.getProperty(symbol.name) !== undefined,
        isType: (flags & ts.SymbolFlags.Type) !== 0,
        typeParameters: generic?.typeParameters?.length ?? 0,
      };
    });
  };
  return new Map(entries.map((entry) => [entry, read(entry)]));
}

/** Generates a program that compiles if the later entry point can replace the recorded one. */
function assertions(entry: string, folder: string, exported: ReadonlyMap<string, readonly Exported[]>): string {
  const lines = (exported.get(entry) ?? []).flatMap(({ name, isClass, isType, typeParameters }) => {
    const given = typeParameters > 0 ? `<${Array(typeParameters).fill("any").join(", ")}>` : "";
    const takes = (wrapped: (side: string) => string) => `Takes<${wrapped("later")}, ${wrapped("recorded")}>`;
    return [
      // TypeScript allows narrower parameters of constructors, as of methods, so they are compared as functions
      ...(isClass
        ? [`export type New${name} = ${takes((side) => `ConstructorParameters<typeof ${side}.${name}>`)};`]
        : []),
      // a removed field can still be passed in a variable, but not in an object literal
      ...(isType ? [`export type Fields${name} = ${takes((side) => `FieldsOf<${side}.${name}${given}>`)};`] : []),
    ];
  });
  return `
    import * as later from "./${folder}/${entry}.js";
    import * as recorded from "./recorded/${entry}.js";
    export const values: typeof recorded = later;
    type Takes<Wanted, Given extends Wanted> = Given;
    type FieldsOf<T, Depth extends unknown[] = []> =
      T extends string | number | bigint | boolean | null | undefined | symbol ? never
      : T extends AbortSignal | Headers | Response | Error | ((...args: never) => unknown) ? never
      : T extends readonly (infer Item)[] ? FieldsOf<Item, Depth>
      : T extends object ? { [Name in keyof T & string]:
          Name | (Depth["length"] extends 3 ? never : \`\${Name}.\${FieldsOf<T[Name], [...Depth, 1]>}\`) }[keyof T & string]
      : never;
    ${lines.join("\n    ")}
  `;
}

const options: ts.CompilerOptions = {
  ...{ target: ts.ScriptTarget.ES2022, lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"], types: [] },
  ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true },
};

/** TypeScript's library files, parsed once for all comparisons. */
const parsed = new Map<string, ts.SourceFile | undefined>();

function programOf(files: ReadonlyMap<string, string>): ts.Program {
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (name) => files.has(join(name)) || fileExists(name);
  // some folders exist only in memory
  host.directoryExists = () => true;
  host.getSourceFile = (name, version) => {
    const text = files.get(join(name));
    if (text !== undefined) return parse(name, text);
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, version));
    return parsed.get(name);
  };
  return ts.createProgram([...files.keys()], options, host);
}

function parse(name: string, text: string): ts.SourceFile {
  return ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);
}

function described({ messageText, file, start = 0 }: ts.Diagnostic): string {
  const line = file?.text.slice(0, start).split("\n").length ?? 0;
  const where = file?.text.split("\n")[line - 1]?.trim().slice(0, 120);
  return `${where}\n${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
}
