const { projects } = require("./jest.config.js")

/** The unit tests that have to notice what scripts/test-mutation.mjs has broken. */
module.exports = {
  ...projects.find(({ displayName }) => displayName === "unit"),
  // It reads a list that is not in Stryker's copy.
  setupFilesAfterEnv: [],
  roots: ["<rootDir>/src"],
  testMatch: [`<rootDir>/${process.env["MUTATION_SPECS"]}`],
}
