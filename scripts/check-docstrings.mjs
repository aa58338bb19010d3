/**
 * Fails when something the package exports has no docstring: what an editor shows is the only manual many ever open.
 * It looks at the sources, so it needs no build, and follows re-exports to where a thing is declared.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import ts from "typescript"

/** Where the types that package.json names come from. */
const SOURCES = [
  [/^\.\/\.medusa\/server\/(src\/.+)\.d\.ts$/, "$1.ts"],
  [/^\.\/dist\/(storefront|sandbox)\/index\.d\.ts$/, "$1/index.ts"],
  [/^\.\/dist\/storefront\/react\.d\.ts$/, "storefront/react/index.ts"],
]

const { exports } = JSON.parse(readFileSync("package.json", "utf8"))
const types = Object.values(exports).flatMap((target) => target.types ?? target.require?.types ?? [])
const entries = [...new Set(types.flatMap(sourcesOf))]
const program = ts.createProgram(entries, {
  module: ts.ModuleKind.ESNext,
  // Finds the files of this repository and nothing else, which is all that is looked at.
  moduleResolution: ts.ModuleResolutionKind.Classic,
  jsx: ts.JsxEmit.ReactJSX,
  types: [],
})
const checker = program.getTypeChecker()
const missing = new Set()
for (const entry of entries) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(entry))
  for (const symbol of checker.getExportsOfModule(module)) {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0
    const declarations = (isAlias ? checker.getAliasedSymbol(symbol) : symbol).declarations ?? []
    if (!declarations.some(hasDocstring)) {
      const file = declarations[0]?.getSourceFile().fileName ?? entry
      missing.add(`${path.relative(".", file)}: ${symbol.name} is exported and has no docstring\n`)
    }
  }
}
process.stdout.write(`The exports of ${entries.length} entry points are looked at.\n`)
process.stderr.write([...missing].join(""))
process.exitCode = missing.size > 0 || entries.length === 0 ? 1 : 0

function hasDocstring(declaration) {
  const comments = ts.getJSDocCommentsAndTags(declaration).filter(ts.isJSDoc)
  return comments.some(({ comment, tags }) => ts.getTextOfJSDocComment(comment)?.trim() || tags?.length > 0)
}

/** A `*` means every folder that has the file. */
function sourcesOf(typesPath) {
  const [pattern, source] = SOURCES.find(([of]) => of.test(typesPath)) ?? []
  if (pattern === undefined) {
    throw new Error(`No source is known for ${typesPath} of package.json`)
  }
  const [before, after] = typesPath.replace(pattern, source).split("*")
  return after === undefined
    ? [before]
    : readdirSync(before)
        .map((folder) => before + folder + after)
        .filter(existsSync)
}
