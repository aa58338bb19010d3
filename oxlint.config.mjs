import medusa from "@medusajs/eslint-plugin"
import tseslint from "typescript-eslint"

/** typescript-eslint's strict list. oxlint has the rules itself, these two excepted, and reads types with the native compiler. */
const MISSING = ["no-unsafe-class-instance-assignment", "no-unsafe-enum-assignment"]
const strict = tseslint.configs.strictTypeChecked
  .flatMap(({ rules }) => Object.entries(rules ?? {}))
  .filter(([name, rule]) => rule !== "off" && !MISSING.some((missing) => name.endsWith(missing)))
const typed = strict.filter(([name]) => name in (tseslint.configs.disableTypeChecked.rules ?? {}))

const { configs, rules: medusaRules } = medusa.default ?? medusa
const jsPlugins = ["@medusajs/eslint-plugin"]

export default {
  plugins: ["typescript", "jest", "import"],
  categories: { correctness: "off" },
  options: { typeAware: true },
  ignorePatterns: [
    "**/node_modules/",
    "**/.medusa/",
    "**/dist/",
    ".demo/",
    "coverage/",
    ".stryker-tmp/",
    "/reports/",
    "**/migrations/",
  ],
  rules: {
    ...Object.fromEntries(strict),
    // A call that is awaited says more than one that is returned bare, and keeps its frame in the stack.
    "@typescript-eslint/return-await": ["error", "always"],
    "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    // What an async function throws arrives as a rejection, also where nothing is awaited.
    "@typescript-eslint/require-await": "off",
    "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    // Knex query builders are thenable, and its `where` callbacks may return one.
    "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { arguments: false } }],
    "@typescript-eslint/no-misused-spread": ["error", { allow: [{ from: "lib", name: "string" }] }],
    "no-console": "error",
    // Types may go round: they are gone at run time.
    "import/no-cycle": ["error", { ignoreTypes: true }],
    "jest/no-focused-tests": "error",
    "jest/no-disabled-tests": "error",
  },
  overrides: [
    {
      // Plain JavaScript is checked by tsc where it matters; the typed rules need a project it is not in.
      files: ["**/*.js", "**/*.mjs", "**/*.cjs"],
      rules: {
        ...Object.fromEntries(typed.map(([name]) => [name, "off"])),
        "@typescript-eslint/no-require-imports": "off",
      },
    },
    // Each for the files that it is meant for. Its list of ignored paths would leave our tests unchecked.
    ...configs.recommended.flatMap(({ files, ignores = [], rules }) =>
      files ? [{ files, excludeFiles: ignores, rules, jsPlugins }] : []
    ),
    {
      files: ["**/*.ts", "**/*.tsx"],
      // Where a plain Error is thrown, core is meant to mask it from the shopper.
      rules: { "@medusajs/use-medusa-error-not-generic-error": "off" },
      jsPlugins,
    },
    {
      // The gateway, the sandbox, the storefront and plain scripts know no Medusa.
      files: [
        "src/gateway/**",
        "sandbox/**",
        "storefront/**",
        "examples/storefront/**",
        "**/*.js",
        "**/*.mjs",
        "**/*.cjs",
      ],
      rules: Object.fromEntries(Object.keys(medusaRules).map((rule) => [`@medusajs/${rule}`, "off"])),
      jsPlugins,
    },
    {
      // What a test gets over HTTP or from SQL has no type; its expectations judge it.
      files: ["**/*.spec.ts", "integration-tests/**", "storefront/testing/**"],
      rules: {
        "@typescript-eslint/no-unsafe-argument": "off",
        "@typescript-eslint/no-unsafe-assignment": "off",
        "@typescript-eslint/no-unsafe-call": "off",
        "@typescript-eslint/no-unsafe-member-access": "off",
        "@typescript-eslint/no-unsafe-return": "off",
        "@typescript-eslint/no-extraneous-class": "off",
        "@typescript-eslint/use-unknown-in-catch-callback-variable": "off",
      },
    },
    {
      // What a click sends goes through `useAction`: by itself a double click sends it twice.
      files: ["src/admin/**"],
      excludeFiles: ["src/admin/shared/queries.ts"],
      rules: {
        "no-restricted-imports": ["error", { name: "@tanstack/react-query", importNames: ["useMutation"] }],
      },
    },
    {
      // Command-line programs talk to people.
      files: ["sandbox/cli.ts", "examples/**"],
      rules: { "no-console": "off" },
    },
  ],
}
