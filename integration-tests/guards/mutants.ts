import { readFileSync } from "node:fs"
import path from "node:path"
import * as ts from "typescript"
import type { Guard } from "./guards"

const ROOT = path.resolve(__dirname, "../..")

/**
 * Takes guards out of the sources, one at a time, and compiles what is left. All mutants share one program: TypeScript
 * reads the plugin and its libraries once.
 */
export class Mutants {
  private readonly options = readCompilerOptions()
  private readonly service: ts.LanguageService
  /** Sources without their guard, by file. */
  private mutated = new Map<string, string>()
  private round = 0

  constructor(guards: Guard[]) {
    const files = [...new Set(guards.map(({ file }) => sourceFile(file)))]
    const snapshots = new Map<string, ts.IScriptSnapshot>()
    const read = (file: string): ts.IScriptSnapshot | undefined => {
      const mutated = this.mutated.get(file)
      if (mutated !== undefined) {
        return ts.ScriptSnapshot.fromString(mutated)
      }
      const text = snapshots.has(file) ? undefined : ts.sys.readFile(file)
      if (text !== undefined) {
        snapshots.set(file, ts.ScriptSnapshot.fromString(text))
      }
      return snapshots.get(file)
    }
    this.service = ts.createLanguageService({
      ...ts.sys,
      useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
      getCompilationSettings: () => this.options,
      getScriptFileNames: () => files,
      getScriptVersion: (file) => (this.mutated.has(file) ? String(this.round) : "0"),
      getScriptSnapshot: read,
      getCurrentDirectory: () => ROOT,
      getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    })
  }

  /** The JavaScript of the source without the guard. @throws when there is none that compiles */
  compile(guard: Guard): string {
    const problems = misplaced(guard)
    if (problems.length === 0) {
      const file = sourceFile(guard.file)
      this.round += 1
      this.mutated = new Map([[file, withoutGuard(guard)]])
      problems.push(...this.check(file))
    }
    if (problems.length > 0) {
      throw new Error(`${guard.name}: ${problems.join(" ")}`)
    }
    return ts.transpileModule(withoutGuard(guard), {
      compilerOptions: this.options,
      fileName: sourceFile(guard.file),
    }).outputText
  }

  private check(file: string): string[] {
    return [...this.service.getSyntacticDiagnostics(file), ...this.service.getSemanticDiagnostics(file)].map(
      ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " ")
    )
  }
}

/** Why the guard cannot be taken out; empty when it is once in its file. */
export function misplaced({ file, code }: Guard): string[] {
  const times = readFileSync(sourceFile(file), "utf8").split(code).length - 1
  return times === 1 ? [] : [`Its code is ${String(times)} times in src/${file}.`]
}

function sourceFile(file: string): string {
  return path.join(ROOT, "src", file)
}

function withoutGuard({ file, code, without }: Guard): string {
  return readFileSync(sourceFile(file), "utf8").replace(code, () => without)
}

function readCompilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(path.join(ROOT, "tsconfig.json"), (file) => ts.sys.readFile(file)) as {
    config: { compilerOptions: object }
  }
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT)
  // A guard that is taken out leaves its helpers unused.
  return { ...options, noUnusedLocals: false }
}
