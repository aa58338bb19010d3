/**
 * Fails when a document names a test that is not there. docs/internals/threat-model.md gives each attack the tests
 * that hold it, as `path/to/file.spec.ts`: "title", "another title". Whoever renames or removes one has to learn of
 * it. A title is looked for as a whole text of the file, in which "…" is anything.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"

const FILE = /`([\w./-]+\/[\w.-]+\.(?:spec\.tsx?|mjs))`/
// A title may have quotes of its own, so it ends only where the list or the sentence goes on.
const NAME = /(?<=\s)"(.+?)"(?=$|[.,;](?:\s|$)|\s\()/g

const files = [...readdirSync("."), ...readdirSync("docs", { recursive: true }).map((name) => `docs/${name}`)]
const named = files.filter((name) => name.endsWith(".md")).flatMap(namedIn)
const wrong = named.filter(({ file, title }) => !existsSync(file) || !isIn(file, title))
process.stdout.write(`${named.length} files and tests that documents name are looked for.\n`)
process.stderr.write(
  wrong.map(({ document, file, title }) => `${document}: ${file} has no "${title}"\n`).join("")
)
process.exitCode = wrong.length > 0 || named.length === 0 ? 1 : 0

function namedIn(document) {
  const prose = readFileSync(document, "utf8").replace(/^```.*?^```/gms, "")
  const blocks = prose.split(/\n(?=\s*(?:\n|- |\|))/).map((block) => block.replace(/\s+/g, " "))
  return blocks.flatMap((block) => {
    // The text before the first file, then each file and what follows it.
    const [, ...parts] = block.split(FILE)
    return parts.flatMap((file, index) => {
      if (index % 2 === 1) {
        return []
      }
      // A script is named without tests. What is in quotes after it is prose.
      const titles = file.includes(".spec.") ? [...parts[index + 1].trimEnd().matchAll(NAME)] : []
      return ["", ...titles.map(([, title]) => title)].map((title) => ({ document, file, title }))
    })
  })
}

function isIn(file, title) {
  const words = title.replace(/\\(?=[\W_])/g, "").replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
  return (
    title === "" ||
    new RegExp(`(?<!\\.(?:skip|todo))\\(\\s*["'\`]${words.replaceAll("…", ".+?")}( @deep)?["'\`]`).test(
      readFileSync(file, "utf8")
    )
  )
}
