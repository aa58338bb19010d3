// It needs a redis-server.
module.exports = {
  ...require("../setup/built-store.jest"),
  testMatch: ["<rootDir>/integration-tests/cluster/**/*.spec.ts"],
}
