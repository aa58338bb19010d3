/**
 * Fails when a document names a test that is not there. docs/internals/threat-model.md gives each attack the tests that hold it, as
 * `path/to/file.spec.ts`: "title", "another title". Whoever renames or removes one of those tests has to learn of it.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import ts from "typescript"

const FILE = /`([\w./-]+\/[\w.-]+\.(?:spec\.tsx?|mjs))`/
// A title may have quotes of its own, so it ends only where the list or the sentence goes on.
const NAME = /(?<=\s)"(.+?)"(?=$|[.,;](?:\s|$)|\s\()/g
/** What Jest fills in. In a title that is read from the source it becomes an ellipsis, as people write it. */
const PLACEHOLDER = /%[psdifjoc#]|\$(?:#|[\w.]+)/g

const files = [...readdirSync("."), ...readdirSync("docs", { recursive: true }).map((name) => `docs/${name}`)]
const mentions = files.filter((name) => name.endsWith(".md")).flatMap(mentionsIn)
const specs = new Map()
const wrong = mentions.flatMap(({ document, file, names }) => {
  if (!existsSync(file)) {
    return [`${document}: ${file} is not there\n`]
  }
  const spec = specs.get(file) ?? readSpec(file)
  specs.set(file, spec)
  const unknown = names.filter((name) => !spec.titles.some((title) => isTitle(name, title, spec.source)))
  return unknown.map((name) => `${document}: ${file} has no test "${name}"\n`)
})
const count = mentions.flatMap(({ names }) => names).length
process.stdout.write(`${count} tests that documents name are looked for in ${specs.size} files.\n`)
process.stderr.write(wrong.join(""))
process.exitCode = wrong.length > 0 || count === 0 ? 1 : 0

function mentionsIn(document) {
  const prose = readFileSync(document, "utf8").replace(/^```.*?^```/gms, "")
  const blocks = prose.split(/\n(?=\s*(?:\n|- |\|))/).map((block) => block.replace(/\s+/g, " "))
  return blocks.flatMap((block) => {
    const [, ...parts] = block.split(FILE)
    return parts.flatMap((file, index) => {
      const text = (parts[index + 1] ?? "").trimEnd()
      // A script is named without tests. What is in quotes after it is prose.
      const found = file.includes(".spec.") ? [...text.matchAll(NAME)] : []
      const names = found.map(([, name = ""]) => name.replace(/\\(?=[\W_])/g, ""))
      return index % 2 === 0 ? [{ document, file, names }] : []
    })
  })
}

function readSpec(file) {
  const source = readFileSync(file, "utf8")
  const titles = []
  collect(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true), [])
  return { source, titles }

  function collect(node, around) {
    const title = titleOf(node)
    const path = title === undefined ? around : [...around, title]
    if (title !== undefined) {
      // Alone, or behind the titles of the groups it is in.
      titles.push(...path.map((_, start) => path.slice(start).join(" ")))
    }
    ts.forEachChild(node, (child) => collect(child, path))
  }
}

function titleOf(node) {
  if (!ts.isCallExpression(node)) {
    return undefined
  }
  const [title] = node.arguments
  const callee = /^(?:it|test|describe)(\.each\b.*)?$/s.exec(node.expression.getText())
  if (callee === null || title === undefined) {
    return undefined
  }
  if (ts.isTemplateExpression(title)) {
    return [title.head.text, ...title.templateSpans.map(({ literal }) => literal.text)].join("…")
  }
  const text = ts.isStringLiteralLike(title) ? title.text : undefined
  return callee[1] === undefined ? text : text?.replace(PLACEHOLDER, "…")
}

function isTitle(name, title, source) {
  const filledIn = new RegExp(`^${pattern(title)}$`).exec(name)?.slice(1)
  // The rows of a table are tests of their own: what a name says of one must be in the file.
  const isFilledIn = filledIn?.every((value) => new RegExp(pattern(value)).test(source)) ?? false
  return isFilledIn || new RegExp(`^${pattern(name)}$`).test(title)
}

/** @param {string} text in which an ellipsis matches anything */
function pattern(text) {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("…", "(.+?)")
}
