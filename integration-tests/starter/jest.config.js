// Run by scripts/install-matrix/starter.mjs, which prepares the shop.
module.exports = {
  ...require("../setup/built-store.jest"),
  testMatch: ["<rootDir>/integration-tests/starter/**/*.spec.ts"],
  transformIgnorePatterns: ["/node_modules/", "/dist/"],
  globalSetup: "<rootDir>/integration-tests/starter/global-setup.mjs",
  globalTeardown: "<rootDir>/integration-tests/setup/endings.mjs",
  testTimeout: 300_000,
}
