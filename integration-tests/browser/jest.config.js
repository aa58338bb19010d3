const swc = [
  "@swc/jest",
  {
    jsc: { parser: { syntax: "typescript", decorators: true }, target: "es2022" },
    // The plain modules that start processes are imported as what they are.
    module: { type: "commonjs", ignoreDynamic: true },
  },
]

// In addition to the projects of jest.config.js: one built store with its admin, and one browser, for all of these specs.
module.exports = {
  rootDir: "../..",
  testMatch: [
    `<rootDir>/integration-tests/browser/**/*.${process.env.ADMIN_PICTURES ? "pictures" : "spec"}.ts`,
  ],
  testEnvironment: "node",
  setupFilesAfterEnv: ["<rootDir>/integration-tests/setup/quarantine.js"],
  transform: { "^.+\\.ts$": swc },
  transformIgnorePatterns: ["/node_modules/", "/dist/"],
  modulePathIgnorePatterns: ["<rootDir>/examples/store/.medusa/", "<rootDir>/.medusa/"],
  globalSetup: "<rootDir>/integration-tests/browser/setup/global-setup.mjs",
  globalTeardown: "<rootDir>/integration-tests/setup/global-teardown.mjs",
  testTimeout: 300_000,
  maxWorkers: 1,
}
