const { projects } = require("./jest.config.js")

/** The unit tests that have to notice what scripts/test-mutation.mjs has broken. */
module.exports = {
  ...projects.find(({ displayName }) => displayName === "unit"),
  roots: ["gateway", "decision", "providers"].map((room) => `<rootDir>/src/${room}`),
  testMatch: [`<rootDir>/${process.env["MUTATION_SPECS"]}`],
}
