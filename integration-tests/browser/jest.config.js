// In addition to the projects of jest.config.js: one built store with its admin, and one browser, for all of these specs.
module.exports = {
  ...require("../setup/built-store.jest"),
  testMatch: [
    `<rootDir>/integration-tests/browser/**/*.${process.env.ADMIN_PICTURES ? "pictures" : "spec"}.ts`,
  ],
  transformIgnorePatterns: ["/node_modules/", "/dist/"],
  globalSetup: "<rootDir>/integration-tests/browser/setup/global-setup.mjs",
  globalTeardown: "<rootDir>/integration-tests/setup/endings.mjs",
  testTimeout: 300_000,
}
