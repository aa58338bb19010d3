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

/** A store's lock file may have newer versions of what the client depends on than this repository's. */
const CALL = `
const { GatewayClient } = require("medusa-payment-crypto/gateway")
const { startSandbox } = require("medusa-payment-crypto/sandbox")

async function call() {
  const sandbox = await startSandbox({ secretKey: "key", port: 0 })
  const gateway = new GatewayClient({ baseUrl: sandbox.baseUrl })
  const { paymentRequestId } = await gateway.createPaymentRequest({
    currencySymbol: "AED",
    amount: "12.90",
    successUrl: "http://localhost:8000/return",
    failedUrl: "http://localhost:8000/failed",
    payerEmailAddress: "amira@example.com",
  })
  const { paymentStatus } = await gateway.readPaymentRequest(paymentRequestId)
  const { pagination } = await gateway.listPaymentRequests()
  const balances = await gateway.listBalances()
  process.stdout.write([paymentStatus, pagination.totalCount, Array.isArray(balances)].join(" "))
  await gateway.close()
  await sandbox.close()
}
void call()
`

/**
 * The gateway client works in a program that has no Medusa, with the newest versions of its dependencies, with `require` and with `import`.
 */
export async function requireGatewayAlone(tarball, { directory, logs, signal }) {
  const cwd = join(directory, "alone")
  mkdirSync(cwd)
  writeFileSync(
    join(cwd, "package.json"),
    JSON.stringify({ private: true, dependencies: { "medusa-payment-crypto": `file:${tarball}` } })
  )
  await npm(["install", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd,
    log: join(logs, "install-alone.log"),
    signal,
  })
  if (existsSync(join(cwd, "node_modules/@medusajs"))) {
    throw new Error("Medusa was installed, so nothing is proven")
  }
  for (const [file, load] of Object.entries(FORMS)) {
    requireAnswer(cwd, file, `${load}\nprocess.stdout.write(String(${VERIFY}))\n`, "true")
  }
  requireAnswer(cwd, "call.cjs", CALL, "UNPAID 1 true")
}

function requireAnswer(cwd, file, program, wanted) {
  writeFileSync(join(cwd, file), program)
  const answer = execFileSync(process.execPath, [file], { cwd, encoding: "utf8" })
  if (answer !== wanted) {
    throw new Error(`${file} answered ${answer}`)
  }
}
