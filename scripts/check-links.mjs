// Fails when a link between the documents leads nowhere: to a file that is not there, or to a heading it has not.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

const inside = (folder, recursive) => readdirSync(folder, { recursive }).map((name) => `${folder}/${name}`)
const files = [...readdirSync("."), ...inside("docs", true), ...inside("packages/storefront", false)]
const documents = files.filter((name) => name.endsWith(".md"))
const links = documents.flatMap((file) =>
  [...prose(file).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)].map(([, link]) => ({ file, link }))
)
const broken = links.filter(({ file, link }) => {
  const [path, heading] = link.split("#")
  const target = path === "" ? file : join(dirname(file), path)
  return !existsSync(target) || (heading !== undefined && !anchors(target).includes(heading))
})
process.stdout.write(`${links.length} links in ${documents.length} documents are followed.\n`)
process.stderr.write(broken.map(({ file, link }) => `${file}: ${link} leads nowhere\n`).join(""))
process.exitCode = broken.length > 0 || links.length === 0 ? 1 : 0

/** An address in code is shown, not followed. */
function prose(file) {
  return readFileSync(file, "utf8").replace(/^```.*?^```/gms, "")
}

/** As GitHub makes them of headings. */
function anchors(file) {
  const headings = [...prose(file).matchAll(/^#+ (.+)$/gm)].map(([, text]) => text.toLowerCase())
  return headings.map((text) => text.replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-"))
}
