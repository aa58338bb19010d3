const { projects } = require("./jest.config.js")

/** The unit tests that have to notice what scripts/test-mutation.mjs has broken. */
module.exports = {
  ...projects.find(({ displayName }) => displayName === "unit"),
  // These files are not in Stryker's copy.
  setupFilesAfterEnv: [],
  // Stryker itself ends a mutant that hangs.
  testTimeout: 60_000,
  roots: ["<rootDir>/src"],
  testMatch: [`<rootDir>/${process.env["MUTATION_SPECS"]}`],
}
