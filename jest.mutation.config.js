const { projects } = require("./jest.config.js")

/** The unit tests that have to notice what scripts/test-mutation.mjs has broken. */
module.exports = {
  ...projects.find(({ displayName }) => displayName === "unit"),
  // These files are not in Stryker's copy.
  setupFilesAfterEnv: [],
  // As `timeoutMS` in stryker.config.mjs: a mutant that hangs does not take the five minutes of the other runs.
  testTimeout: 20_000,
  roots: ["<rootDir>/src"],
  testMatch: [`<rootDir>/${process.env["MUTATION_SPECS"]}`],
}
