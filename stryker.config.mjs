/** For scripts/test-mutation.mjs, which says what is broken and which tests have to notice. */
export default {
  mutate: [String(process.env["MUTATION_FILES"]), "!**/*.spec.ts"],
  // jest.config.js reads which specs there are.
  ignorePatterns: [
    "**",
    "!src/**",
    "!*.{js,json}",
    "!integration-tests/{gate,deep,http}/**/*.spec.ts",
    "src/admin",
  ],
  testRunner: "jest",
  plugins: ["@stryker-mutator/jest-runner"],
  jest: { configFile: "jest.mutation.config.js" },
  coverageAnalysis: "perTest",
  thresholds: { break: 90 },
  concurrency: 2,
  // A mutant that takes too long counts as found, so a busy machine must not make one.
  timeoutMS: 20_000,
  timeoutFactor: 4,
  allowConsoleColors: false,
  reporters: ["progress-append-only", "json"],
  jsonReporter: { fileName: "reports/mutation.json" },
}
