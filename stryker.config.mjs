/**
 * Breaks the rooms that decide about money in every small way, and lets the unit tests find out.
 * One room: `npm run test:mutation -- --mutate "src/settlement/*.ts,!**\/*.spec.ts"`.
 */
export default {
  mutate: ["src/{gateway,settlement,providers}/**/*.ts", "!**/*.spec.ts"],
  ignorePatterns: ["**", "!src/**", "!*.{js,json}", "src/admin"],
  testRunner: "jest",
  plugins: ["@stryker-mutator/jest-runner"],
  jest: { configFile: "jest.mutation.config.js" },
  coverageAnalysis: "perTest",
  concurrency: 2,
  allowConsoleColors: false,
  reporters: ["clear-text", "json"],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  jsonReporter: { fileName: "reports/mutation.json" },
  thresholds: { high: 95, low: 90, break: 90 },
}
