// Run by scripts/install-matrix/starter.mjs, which prepares the shop.
module.exports = {
  ...require("../browser/jest.config"),
  testMatch: ["<rootDir>/integration-tests/starter/**/*.spec.ts"],
  globalSetup: "<rootDir>/integration-tests/starter/global-setup.mjs",
}
