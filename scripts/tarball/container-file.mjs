import { cpSync, mkdirSync, readFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"

import { runCommand } from "../../examples/demo/commands.mjs"
import { ROOT } from "../../examples/demo/paths.mjs"

const PAGE = "docs/deployment.md"

/**
 * Does what a container file of the docs does, in folders instead of images: this test needs no container tool. Node and
 * the system are those at hand, and the user stays the same.
 *
 * @param {string} context the folder in which the file says it is built
 * @param {string} beginning the file's first line
 * @returns {Promise<string>} the folder that would be the image's working directory
 */
export async function buildContainerFile(context, beginning, { directory, logs, signal, env }) {
  // Each line is a name with stars, in any folder.
  const names = shown("# .dockerignore").map((line) =>
    line.replace("**/", "").replaceAll(".", "\\.").replaceAll("*", ".*")
  )
  const ignored = new RegExp(`^(${names.join("|")})$`)
  const stages = new Map()
  let root = ""
  let workdir = ""
  const own = { ...env }
  for (const line of shown(beginning)) {
    const [word = "", rest = ""] = /^(\S+) (.*)$/.exec(line)?.slice(1) ?? []
    if (word === "FROM") {
      root = join(directory, `stage-${String(stages.size)}`)
      stages.set(/ AS (\S+)$/.exec(rest)?.[1] ?? "", root)
    } else if (word === "WORKDIR") {
      workdir = join(root, rest)
      mkdirSync(workdir, { recursive: true })
    } else if (word === "ENV") {
      const [name = "", value] = rest.split("=")
      own[name] = value
    } else if (word === "COPY") {
      copy(rest.split(" "), { context, stages, workdir, ignored })
    } else if (word === "RUN") {
      const log = join(logs, "container.log")
      await runCommand({ name: line, command: ["sh", "-c", rest], cwd: workdir, env: own, log, signal })
    } else if (!["USER", "EXPOSE", "CMD"].includes(word)) {
      throw new Error(`${PAGE}: this test does not know how to do ${line}`)
    }
  }
  return workdir
}

function copy(words, { context, stages, workdir, ignored }) {
  const [, stage] = /^--from=(.*)$/.exec(words[0] ?? "") ?? []
  const source = stage === undefined ? context : (stages.get(stage) ?? "")
  const names = words.slice(stage === undefined ? 0 : 1)
  const target = names.pop() ?? ""
  for (const name of names) {
    const from = join(source, name)
    // A folder's contents are copied, not the folder itself; a file keeps its name in a folder.
    const to = resolve(workdir, target, name.endsWith(".json") ? basename(name) : "")
    const filter = (path) => stage !== undefined || !ignored.test(basename(path))
    cpSync(from, to, { recursive: true, filter, verbatimSymlinks: true })
  }
}

/**
 * @param {string} beginning of the block's first line
 * @returns {string[]} the lines of that block of the page, without comments
 */
function shown(beginning) {
  const page = readFileSync(join(ROOT, PAGE), "utf8")
  const block = page.split(/^```.*\n/m).find((text) => text.startsWith(beginning))
  if (block === undefined) {
    throw new Error(`${PAGE} has no block that begins with ${beginning}`)
  }
  return block.split("\n").filter((line) => line !== "" && !line.startsWith("# "))
}
