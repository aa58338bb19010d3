/**
 * `npm run test:runners`: plants a failure into every runner of package.json, as small a one as it takes, and demands of
 * each that it names the failure and exits with another code than 0. With words, only the runners whose names hold one.
 * Needs a build.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

import { buildPlugin } from "../examples/demo/builds.mjs"
import { LOGS, ROOT } from "../examples/demo/paths.mjs"
import { freePort } from "../integration-tests/support/postgres.mjs"
import { NEWER_NODE } from "./node-versions.mjs"
import { npmRun } from "./npm-run.mjs"
import { startEmptyRegistry } from "./runners/empty-registry.mjs"

/** What is a runner; `npm test` is `test:deep` with other suites. */
const IS_RUNNER = /^(check|test:.*|fuzz(:.*)?|chaos|demo|bench)$/
const HERE = fileURLToPath(new URL("./runners/", import.meta.url))
const FAILING = `it("is planted", () => { expect(1).toBe(2) })\n`
const PASSING = `it("is planted", () => { expect(1).toBe(1) })\n`
const TIME_LIMIT_MS = 5 * 60_000

const registry = await startEmptyRegistry()
const cache = mkdtempSync(join(tmpdir(), "medusa-payment-crypto-no-packages-"))
const suitesFolder = mkdtempSync(join(tmpdir(), "medusa-payment-crypto-suites-"))
const PRELOAD = { NODE_OPTIONS: `--require ${HERE}planted.cjs` }
const NO_PACKAGES = {
  npm_config_registry: registry.url,
  npm_config_cache: cache,
  npm_config_prefer_offline: "false",
}

/**
 * @typedef {object} Runner
 * @property {string} script
 * @property {string} [how] when a script has several
 * @property {string[]} [args]
 * @property {Record<string, string>} [env]
 * @property {Record<string, string>} [files] planted while the runner runs
 * @property {RegExp} says that it is the planted failure which it found
 */

/** @type {(file: string, test?: string) => Record<string, string>} */
const spec = (file, test = FAILING) => ({ [file]: test })
/** A runner of jest that gets one failing spec. */
/** @type {(script: string, file: string, args: string[]) => Runner} */
const planted = (script, file, args) => ({
  script,
  args,
  files: spec(file),
  says: /^Tests: +[1-9]\d* failed/m,
})
/** The same, for a runner that takes jest's options. */
/** @type {(script: string, file: string, options?: string[]) => Runner} */
const plantedAlone = (script, file, options = []) =>
  planted(script, file, ["--testPathPattern", file, ...options])
const STARTS_POSTGRES = ["--globalSetup", `${HERE}starts-postgres.mjs`]
/** The project that has every spec of the folder, also one that was just planted. */
const ANY_SPEC = ["--selectProjects", "integration", ...STARTS_POSTGRES]
const ONLY_PLANTED = ["--testNamePattern", "is planted", ...STARTS_POSTGRES]

/** The first lane changes sources and builds, one after the other; the second only adds tests. */
/** @type {Runner[][]} */
const LANES = [
  [
    {
      script: "test:mutation",
      args: ["src/decision/planted.ts"],
      files: {
        "src/decision/planted.ts": "export const isMore = (a: number, b: number): boolean => a > b\n",
        "src/decision/planted.unit.spec.ts": `import { isMore } from "./planted"\nit("asserts nothing", () => { isMore(1, 2) })\n`,
      },
      says: /^0\.00 % of \d+ mutants were found/m,
    },
    {
      script: "demo",
      args: ["--once", "--port", String(await freePort()), "--sandbox-port", String(await freePort())],
      env: { NODE_OPTIONS: `--import ${HERE}declines.mjs` },
      says: /not PAID|No order|UNPAID/,
    },
    {
      script: "test:deep",
      args: ["fuzz"],
      env: { SUITES_FOLDER: suitesFolder, FUZZ_COUNT: "10" },
      files: spec("integration-tests/http/planted-deep-webhook-fuzz.spec.ts"),
      says: /^FAILED integration-tests\/http\/planted-deep-webhook-fuzz\.spec\.ts$/m,
    },
    { script: "test:tarball", env: NO_PACKAGES, says: /npm install.*failed|E404/s },
    { script: "test:canary", env: NO_PACKAGES, says: /npm install.*failed|E404/s },
    { script: "test:install-matrix", args: ["first"], env: NO_PACKAGES, says: /^0 of 2 shops and stores/m },
  ],
  [
    {
      script: "check",
      args: ["links", "tests"],
      files: { "docs/planted.md": "[nowhere](nowhere.md)\n\n`docs/nowhere.spec.ts`\n" },
      says: /^Failed: (check:links, check:tests|check:tests, check:links)$/m,
    },
    plantedAlone("test:unit", "integration-tests/planted-unit.unit.spec.ts"),
    plantedAlone("test:integration", "integration-tests/http/planted-integration.spec.ts", ANY_SPEC),
    plantedAlone("test:http", "integration-tests/http/planted-http.spec.ts", ANY_SPEC),
    {
      script: "test:integration",
      how: "Node ends before the teardown has",
      args: [
        ...["--selectProjects", "integration", "--testPathPattern", "planted-ending"],
        ...["--globalSetup", `${HERE}never-ends.mjs`],
      ],
      files: spec("integration-tests/http/planted-ending.spec.ts", PASSING),
      says: /^Tests: +1 passed/m,
    },
    planted("fuzz", "integration-tests/http/planted-webhook-fuzz.spec.ts", ONLY_PLANTED),
    planted("fuzz:routes", "integration-tests/http/route-fuzz-planted.spec.ts", ONLY_PLANTED),
    plantedAlone("test:browser", "integration-tests/browser/planted-browser.spec.ts", STARTS_POSTGRES),
    planted("test:browser:gate", "integration-tests/browser/planted-gate.spec.ts", [
      ...["--runTestsByPath", "integration-tests/browser/planted-gate.spec.ts"],
      ...STARTS_POSTGRES,
    ]),
    plantedAlone("test:cluster", "integration-tests/cluster/planted-cluster.spec.ts"),
    planted("test:node", "integration-tests/planted-node.unit.spec.ts", [NEWER_NODE, "planted-node"]),
    planted("bench", "bench/planted.bench.ts", ["planted"]),
    { script: "test:crash-matrix", args: ["--flow", "cancel"], env: PRELOAD, says: /, 1 failures, / },
    { script: "chaos", args: ["--checkouts", "1"], env: PRELOAD, says: /^lost +1$.*^FAILED \(seed/ms },
  ],
]

/** @type {string[]} */
const wrong = []
/** @type {Set<() => void>} */
const putBack = new Set()
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  process.once(signal, () => {
    putBack.forEach((undo) => undo())
    process.exit(130)
  })
}

const words = process.argv.slice(2)
const chosen = LANES.map((lane) =>
  lane.filter(({ script }) => words.length === 0 || words.some((word) => script.includes(word)))
)
try {
  requireAllRunners()
  // Else the demo would build it at the same time as the runners of the other lane.
  mkdirSync(LOGS, { recursive: true })
  await buildPlugin(new AbortController().signal)
  await Promise.all(
    chosen.map(async (lane) => {
      for (const runner of lane) {
        await prove(runner)
      }
    })
  )
} finally {
  registry.close()
  rmSync(cache, { recursive: true, force: true })
  rmSync(suitesFolder, { recursive: true, force: true })
}
const count = chosen.flat().length
process.stdout.write(`${String(count - wrong.length)} of ${String(count)} planted failures are reported.\n`)
process.exitCode = wrong.length > 0 || count === 0 ? 1 : 0

/** A runner that nobody plants a failure into may say what it likes. */
function requireAllRunners() {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"))
  const known = new Set(["test:runners", ...LANES.flat().map(({ script }) => script)])
  const unknown = Object.keys(scripts).filter((name) => IS_RUNNER.test(name) && !known.has(name))
  if (unknown.length > 0) {
    throw new Error(`scripts/test-runners.mjs plants no failure into ${unknown.join(", ")}.`)
  }
}

/** @param {Runner} runner */
async function prove(runner) {
  const { script, how, says, args = [], env = {}, files = {} } = runner
  const undo = plant(files)
  putBack.add(undo)
  const began = Date.now()
  const at = { cwd: ROOT, env: { ...process.env, ...env }, timeout: TIME_LIMIT_MS }
  const { code, output } = await npmRun([script, "--", ...args], at)
  undo()
  putBack.delete(undo)
  const name = `npm run ${script}${how === undefined ? "" : ` (${how})`}`
  const took = `${((Date.now() - began) / 1000).toFixed(0)} s`
  const isReported = code !== 0 && code !== null && says.test(output)
  if (isReported) {
    process.stdout.write(`exit code ${String(code)}  ${name}, ${took}\n`)
    return
  }
  wrong.push(name)
  const why = says.test(output) ? "" : " and does not name the planted failure"
  process.stdout.write(
    `NOT REPORTED ${name}: exit code ${String(code)}${why}, ${took}\n${output.slice(-4000)}\n`
  )
}

/**
 * @param {Record<string, string>} files
 * @returns {() => void} removes them
 */
function plant(files) {
  const paths = Object.entries(files).map(([file, text]) => {
    writeFileSync(join(ROOT, file), text, { flag: "wx" })
    return join(ROOT, file)
  })
  return () => paths.forEach((file) => rmSync(file, { force: true }))
}
