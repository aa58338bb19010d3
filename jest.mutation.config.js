const { projects } = require("./jest.config.js")

/** The unit tests of the rooms that stryker.config.mjs breaks. */
module.exports = {
  ...projects.find(({ displayName }) => displayName === "unit"),
  testMatch: ["<rootDir>/src/{gateway,settlement,providers}/**/*.unit.spec.ts"],
}
