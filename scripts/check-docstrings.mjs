/**
 * Fails when something the package exports has no docstring: what an editor shows is the only manual many ever open.
 * It looks at the built types, as an editor does.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import ts from "typescript"

const { exports } = JSON.parse(readFileSync("package.json", "utf8"))
const types = Object.values(exports).flatMap((target) => target.types ?? target.require?.types ?? [])
const entries = [...new Set(types.flatMap(filesOf))]
// It finds the package's own files and nothing else, which is all that is looked at.
const moduleResolution = ts.ModuleResolutionKind.Classic
const program = ts.createProgram(entries, { module: ts.ModuleKind.ESNext, moduleResolution, types: [] })
const checker = program.getTypeChecker()
const missing = new Set()
for (const entry of entries) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(entry))
  for (const symbol of checker.getExportsOfModule(module)) {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0
    const declarations = (isAlias ? checker.getAliasedSymbol(symbol) : symbol).declarations ?? []
    if (!declarations.some(hasDocstring)) {
      missing.add(`${symbol.name} of ${entry} has no docstring\n`)
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
function filesOf(path) {
  const [before, after] = path.split("*")
  const folders = after === undefined ? [""] : readdirSync(before)
  return folders.map((folder) => before + folder + (after ?? "")).filter(existsSync)
}
