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

const store = {
  testEnvironment: "node",
  transform: { "^.+\\.ts$": swc },
  transformIgnorePatterns: ["/node_modules/", "/\\.medusa/server/"],
  modulePathIgnorePatterns: ["<rootDir>/examples/store/.medusa/"],
  globalSetup: "<rootDir>/integration-tests/setup/global-setup.mjs",
  globalTeardown: "<rootDir>/integration-tests/setup/global-teardown.mjs",
  setupFiles: ["<rootDir>/integration-tests/setup/clear-metadata.js"],
  setupFilesAfterEnv: ["quarantine", "time-limit"].map(
    (name) => `<rootDir>/integration-tests/setup/${name}.js`
  ),
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
      setupFilesAfterEnv: ["<rootDir>/integration-tests/setup/quarantine.js"],
      modulePathIgnorePatterns: [
        "<rootDir>/.medusa/",
        "<rootDir>/.stryker-tmp/",
        "<rootDir>/dist/",
        "<rootDir>/examples/store/.medusa/",
      ],
    },
    {
      displayName: "model",
      testMatch: ["<rootDir>/integration-tests/model/**/*.spec.ts"],
      testEnvironment: "node",
      transform: { "^.+\\.ts$": swc },
    },
    { displayName: "integration", testMatch: ["<rootDir>/integration-tests/http/**/*.spec.ts"], ...store },
    { displayName: "bench", testMatch: ["<rootDir>/bench/**/*.bench.ts"], ...store },
  ],
}
