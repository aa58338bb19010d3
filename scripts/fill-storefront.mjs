// Run by `npm pack` in packages/storefront: the package for shops is the storefront part of the build, as it is.
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"

import { ROOT } from "../examples/demo/paths.mjs"

const BUILT = join(ROOT, "dist/storefront")
const TARGET = join(ROOT, "packages/storefront")

const versionOf = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version

if (!existsSync(join(BUILT, "react.d.mts"))) {
  fail("dist/storefront is not built. Run npm run build in the root of the repository.")
} else if (versionOf(TARGET) !== versionOf(ROOT)) {
  fail("packages/storefront/package.json has another version than package.json. Run npx changeset version.")
} else {
  rmSync(join(TARGET, "dist"), { recursive: true, force: true })
  cpSync(BUILT, join(TARGET, "dist"), { recursive: true })
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
