import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { pathToFileURL } from "node:url"

const ROOT = path.resolve(__dirname, "../..")
const JEST = path.join(ROOT, "node_modules/jest/bin/jest.js")

interface JestConfig extends Record<string, unknown> {
  displayName?: string
  projects?: JestConfig[]
}

/** The runners' own set-ups without what takes long: migrations and builds. */
const STARTS_POSTGRES = `
  import { endAfterRun } from "${address("setup/endings.mjs")}"
  import { startPostgres } from "${address("support/postgres.mjs")}"
  export default async () => { endAfterRun((await startPostgres()).stop) }`
/** Nothing holds Node's loop open while the teardown waits for this. */
const NEVER_ENDS = `
  import { endAfterRun } from "${address("setup/endings.mjs")}"
  export default () => { endAfterRun(() => new Promise(() => undefined)) }`

const RUNNERS = [
  { script: "test:unit", config: "jest.config.js", setup: undefined },
  { script: "test:integration", config: "jest.config.js", setup: STARTS_POSTGRES },
  { script: "test:browser", config: "integration-tests/browser/jest.config.js", setup: STARTS_POSTGRES },
  { script: "test:cluster", config: "integration-tests/cluster/jest.config.js", setup: undefined },
]

jest.setTimeout(120_000)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "exit-code-"))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe.each(RUNNERS)("npm run $script", ({ script, config, setup }) => {
  it.each([
    ["fails when a test fails", "expect(1).toBe(2)", 1],
    ["passes when all tests pass", "expect(1).toBe(1)", 0],
  ])("%s", (_, test, expected) => {
    const { status, stderr } = run({ script, config, setup, test })
    expect(stderr).toMatch(expected === 0 ? /^Tests: +2 passed/m : /^Tests: +2 failed/m)
    expect(status).toBe(expected)
  })
})

describe.each(RUNNERS.filter(({ setup }) => setup !== undefined))("npm run $script", ({ script, config }) => {
  it("fails when Node ends before the teardown has", () => {
    const { status, stderr } = run({ script, config, setup: NEVER_ENDS, test: "expect(1).toBe(1)" })
    expect(stderr).toMatch(/^Tests: +2 passed/m)
    expect(status).toBe(1)
  })
})

/** Plants a test into the runner's own configuration, in a folder of its own. */
function run({ script, config, setup, test }: (typeof RUNNERS)[number] & { test: string }) {
  // Two files, as jest starts its worker processes for no less.
  for (const file of ["first", "second"]) {
    writeFileSync(path.join(folder, `${file}.planted.js`), `it("is planted", () => { ${test} })`)
  }
  if (setup !== undefined) {
    writeFileSync(path.join(folder, "setup.mjs"), setup)
  }
  return runJest(script, plant(readConfig(config), setup !== undefined))
}

/** The runner's own configuration, with the planted test for its tests. */
function plant({ projects, ...config }: JestConfig, hasSetup: boolean): JestConfig {
  if (projects !== undefined) {
    return { ...config, rootDir: ROOT, projects: projects.map((project) => plant(project, hasSetup)) }
  }
  const globalSetup = hasSetup ? { globalSetup: path.join(folder, "setup.mjs") } : {}
  return { ...config, ...globalSetup, rootDir: ROOT, roots: [folder], testMatch: [`${folder}/*.planted.js`] }
}

/** With the arguments the script gives. */
function runJest(script: string, config: JestConfig) {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>
  }
  const [, given = ""] = / jest (.*)$/.exec(` ${String(scripts[script])}`) ?? []
  const args = given
    .replace(/--config \S+/, "")
    .split(" ")
    .filter(Boolean)
  return spawnSync(process.execPath, [JEST, ...args, "--config", JSON.stringify(config)], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "--experimental-vm-modules" },
  })
}

function readConfig(file: string): JestConfig {
  return jest.requireActual<JestConfig>(path.join(ROOT, file))
}

function address(file: string): string {
  return pathToFileURL(path.join(ROOT, "integration-tests", file)).href
}
