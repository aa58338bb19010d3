import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

import { npm } from "./npm.mjs"

// The known answer of docs/gateway.md, computed with OpenSSL.
const HASH = "fe4da7ed64fb24defdce791ec0da9ac6261a71664e8498be826dd992323aa451"
const VERIFY = `verifyApprovalHash({ status: "UNPAID", ref_id: null }, "${HASH}", "sandbox-secret-key")`
const FORMS = {
  "use.cjs": `const { verifyApprovalHash } = require("medusa-payment-crypto/gateway")`,
  "use.mjs": `import { verifyApprovalHash } from "medusa-payment-crypto/gateway"`,
}

/**
 * The gateway client works in a program that has no Medusa, with `require` and with `import`.
 *
 * @param {string} tarball
 * @param {import("./pack.mjs").Place} at
 */
export async function requireGatewayAlone(tarball, { directory, logs, signal }) {
  const cwd = join(directory, "alone")
  mkdirSync(cwd)
  writeFileSync(
    join(cwd, "package.json"),
    JSON.stringify({ private: true, dependencies: { "medusa-payment-crypto": `file:${tarball}` } })
  )
  // Peers left out: that is what "alone" means.
  await npm(["install", "--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd,
    log: join(logs, "install-alone.log"),
    signal,
  })
  if (existsSync(join(cwd, "node_modules/@medusajs"))) {
    throw new Error("Medusa was installed, so nothing is proven")
  }
  for (const [file, load] of Object.entries(FORMS)) {
    writeFileSync(join(cwd, file), `${load}\nprocess.stdout.write(String(${VERIFY}))\n`)
    const answer = execFileSync(process.execPath, [file], { cwd, encoding: "utf8" })
    if (answer !== "true") {
      throw new Error(`${file} answered ${answer}`)
    }
  }
}
