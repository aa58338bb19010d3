const swc = [
  "@swc/jest",
  {
    jsc: { parser: { syntax: "typescript", decorators: true }, target: "es2022" },
    // The plain modules that start processes are imported as what they are.
    module: { type: "commonjs", ignoreDynamic: true },
  },
]

/** For specs that look at processes of the built store. In the config of a folder next to this one. */
module.exports = {
  rootDir: "../..",
  // They share one build of the store, and each has several processes.
  maxWorkers: 1,
  testEnvironment: "node",
  transform: { "^.+\\.ts$": swc },
  modulePathIgnorePatterns: ["<rootDir>/examples/store/.medusa/", "<rootDir>/.medusa/"],
}
