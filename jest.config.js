const swc = [
  "@swc/jest",
  {
    jsc: {
      parser: { syntax: "typescript", decorators: true },
      transform: { decoratorMetadata: true },
      target: "es2022",
    },
  },
]

module.exports = {
  projects: [
    {
      displayName: "unit",
      testMatch: ["<rootDir>/src/**/*.unit.spec.ts", "<rootDir>/sandbox/**/*.unit.spec.ts"],
      testEnvironment: "node",
      transform: { "^.+\\.ts$": swc },
      modulePathIgnorePatterns: ["<rootDir>/.medusa/", "<rootDir>/dist/", "<rootDir>/examples/store/.medusa/"],
    },
  ],
}
