import { readFileSync } from "node:fs"
import path from "node:path"
import * as ts from "typescript"
import { countPlaces, type Guard } from "./guards"

const ROOT = path.resolve(__dirname, "../..")

/**
 * Takes guards out of the sources, one at a time, and compiles what is left. All mutants share one program: TypeScript
 * reads the plugin and its libraries once.
 */
export class Mutants {
  private readonly options = readCompilerOptions()
  private readonly service: ts.LanguageService
  private mutated = { file: "", text: "" }
  private round = 0

  constructor(guards: Guard[]) {
    const files = [...new Set(guards.map(sourceFile))]
    this.service = ts.createLanguageService({
      ...ts.sys,
      useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
      getCompilationSettings: () => this.options,
      getScriptFileNames: () => files,
      getScriptVersion: (file) => (file === this.mutated.file ? String(this.round) : "0"),
      getScriptSnapshot: (file) => {
        const text = file === this.mutated.file ? this.mutated.text : ts.sys.readFile(file)
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
      },
      getCurrentDirectory: () => ROOT,
      getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    })
  }

  /** The JavaScript of the source without the guard. @throws when there is none that compiles */
  compile(guard: Guard): string {
    const file = sourceFile(guard)
    const problems = misplaced(guard)
    if (problems.length === 0) {
      this.round += 1
      this.mutated = { file, text: readFileSync(file, "utf8").replace(guard.code, () => guard.without) }
      const { service } = this
      const errors = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)]
      problems.push(...errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " ")))
    }
    if (problems.length > 0) {
      throw new Error(`${guard.name}: ${problems.join(" ")}`)
    }
    const { text } = this.mutated
    return ts.transpileModule(text, { compilerOptions: this.options, fileName: file }).outputText
  }
}

/** Why the guard cannot be taken out; empty when its code is in one place. */
export function misplaced({ code }: Guard): string[] {
  const times = countPlaces(code)
  return times === 1 ? [] : [`Its code is ${String(times)} times in src/.`]
}

const sourceFile = ({ file }: Guard): string => path.join(ROOT, "src", file)

function readCompilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(path.join(ROOT, "tsconfig.json"), (file) => ts.sys.readFile(file)) as {
    config: { compilerOptions: object }
  }
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT)
  // A guard that is taken out leaves its helpers unused.
  return { ...options, noUnusedLocals: false }
}
