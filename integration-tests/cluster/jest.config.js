const swc = [
  "@swc/jest",
  {
    jsc: { parser: { syntax: "typescript", decorators: true }, target: "es2022" },
    // The plain modules that start processes are imported as what they are.
    module: { type: "commonjs", ignoreDynamic: true },
  },
]

// It needs a redis-server.
module.exports = {
  rootDir: "../..",
  testMatch: ["<rootDir>/integration-tests/cluster/**/*.spec.ts"],
  // Each spec has four Medusa processes of its own, and they share one build of the store.
  maxWorkers: 1,
  testEnvironment: "node",
  setupFilesAfterEnv: ["<rootDir>/integration-tests/setup/quarantine.js"],
  transform: { "^.+\\.ts$": swc },
  modulePathIgnorePatterns: ["<rootDir>/examples/store/.medusa/", "<rootDir>/.medusa/"],
}
