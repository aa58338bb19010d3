const { readdirSync, readFileSync } = require("node:fs")
const path = require("node:path")

const swc = [
  "@swc/jest",
  {
    jsc: {
      parser: { syntax: "typescript", decorators: true },
      transform: { decoratorMetadata: true },
      target: "es2022",
    },
  },
]

const setupFilesAfterEnv = ["<rootDir>/integration-tests/setup/time-limit.js"]

const store = {
  testEnvironment: "node",
  transform: { "^.+\\.ts$": swc },
  transformIgnorePatterns: ["/node_modules/", "/\\.medusa/server/"],
  modulePathIgnorePatterns: ["<rootDir>/examples/store/.medusa/"],
  globalSetup: "<rootDir>/integration-tests/setup/global-setup.mjs",
  globalTeardown: "<rootDir>/integration-tests/setup/endings.mjs",
  setupFiles: ["<rootDir>/integration-tests/setup/clear-metadata.js"],
  setupFilesAfterEnv,
}

const swcReact = [
  "@swc/jest",
  {
    jsc: {
      parser: { syntax: "typescript", tsx: true },
      transform: { react: { runtime: "automatic" } },
      target: "es2022",
    },
  },
]

/** The HTTP specs that no file of gate/ or deep/ imports: nothing is forgotten, and each of these boots its store. */
function specsOfOwnStore() {
  const tests = path.join(__dirname, "integration-tests")
  const groups = ["gate", "deep"].flatMap((group) =>
    readdirSync(path.join(tests, group)).map(
      (name) => `\n${readFileSync(path.join(tests, group, name), "utf8")}`
    )
  )
  return readdirSync(path.join(tests, "http"), { recursive: true }).filter(
    (name) =>
      name.endsWith(".spec.ts") &&
      !groups.some((text) => text.includes(`\nimport "../http/${name.replace(/\.ts$/, "")}"\n`))
  )
}

module.exports = {
  // Each store that a worker boots leaves some of its memory behind. Near four gigabytes V8 does little but collect.
  workerIdleMemoryLimit: "2GB",
  projects: [
    {
      displayName: "unit",
      testMatch: ["src", "sandbox", "storefront", "examples", "integration-tests"].map(
        (room) => `<rootDir>/${room}/**/*.unit.spec.ts`
      ),
      testEnvironment: "node",
      transform: { "^.+\\.ts$": swc, "^.+\\.tsx$": swcReact },
      setupFilesAfterEnv,
      modulePathIgnorePatterns: [
        "<rootDir>/.medusa/",
        "<rootDir>/.stryker-tmp/",
        "<rootDir>/dist/",
        "<rootDir>/examples/store/.medusa/",
      ],
    },
    { displayName: "integration", testMatch: ["<rootDir>/integration-tests/http/**/*.spec.ts"], ...store },
    { displayName: "gate", testMatch: ["<rootDir>/integration-tests/gate/*.spec.ts"], ...store },
    {
      displayName: "deep",
      testMatch: [
        "<rootDir>/integration-tests/deep/*.spec.ts",
        ...specsOfOwnStore().map((name) => `<rootDir>/integration-tests/http/${name}`),
      ],
      ...store,
    },
    { displayName: "bench", testMatch: ["<rootDir>/bench/**/*.bench.ts"], ...store },
  ],
}
