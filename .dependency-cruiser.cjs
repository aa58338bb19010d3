/** The rooms of DESIGN.md section 5: who may import whom. A type is a name, not a dependency, so type imports are free. */
const SPEC = "\\.spec\\.ts$"

const rooms = {
  gateway: { may: [], packages: ["undici", "zod", "^node:"] },
  decision: { may: ["gateway"], packages: ["@medusajs/framework"] },
  providers: {
    may: ["gateway", "decision"],
    files: ["modules/crypto-payments/(errors|paused|settings/names)\\.ts$"],
    packages: ["@medusajs/framework", "^node:"],
  },
  modules: { may: ["gateway", "decision"], packages: ["@medusajs/framework", "zod", "^node:"] },
  workflows: {
    may: ["gateway", "decision", "modules"],
    packages: ["@medusajs/framework", "@medusajs/medusa"],
  },
  links: { may: ["modules"], packages: ["@medusajs/framework", "@medusajs/medusa"] },
  "pay-page": { may: [], packages: ["^node:"] },
  policies: { may: [], packages: ["@medusajs/framework"] },
  api: { may: ["workflows", "modules", "gateway", "pay-page"], packages: ["@medusajs/framework", "^node:"] },
  jobs: { may: ["workflows", "modules", "gateway"], packages: ["@medusajs/framework"] },
  subscribers: { may: ["workflows", "modules", "gateway"], packages: ["@medusajs/framework"] },
  admin: {
    may: [],
    // They import nothing else, so they run in a browser.
    files: [
      "decision/attention\\.ts$",
      "gateway/auth-types\\.ts$",
      "gateway/currencies\\.ts$",
      "modules/crypto-payments/(latin-digits|settings/(names|setting))\\.ts$",
    ],
    packages: [
      "@medusajs/(admin-sdk|dashboard|icons|ui)",
      "@tanstack/react-query",
      "react",
      "react-i18next",
      "react-router-dom",
    ],
  },
}

const roomRules = Object.entries(rooms).map(([room, { may, files = [] }]) => ({
  name: `room-${room}`,
  severity: "error",
  comment: `src/${room} may import ${[...may, ...files].join(", ") || "no other room"}`,
  from: { path: `^src/${room}/`, pathNot: SPEC },
  to: {
    path: "^(src|sandbox|storefront|examples|integration-tests)/",
    pathNot: [`^src/(${[room, ...may].join("|")})/`, ...files.map((file) => `^src/${file}`)],
    dependencyTypesNot: ["type-only"],
  },
}))

const packageRules = Object.entries(rooms).map(([room, { packages }]) => ({
  name: `packages-${room}`,
  severity: "error",
  comment: `src/${room} may use ${packages.join(", ")}`,
  from: { path: `^src/${room}/`, pathNot: SPEC },
  to: {
    dependencyTypesNot: ["local", "type-only"],
    pathNot: packages.map((name) => (name === "^node:" ? "^[a-z_/]+$" : `node_modules/${name}/`)),
  },
}))

module.exports = {
  forbidden: [
    ...roomRules,
    ...packageRules,
    {
      name: "sandbox-shares-nothing",
      severity: "error",
      comment: "The sandbox replaces the gateway in tests: a fault copied from src would go unnoticed",
      from: { path: "^sandbox/", pathNot: SPEC },
      to: { pathNot: ["^sandbox/", "^[a-z_/]+$", "^package\\.json$"] },
    },
    {
      name: "storefront-runs-in-browsers",
      severity: "error",
      comment: "What a shop's pages carry: no server code, nothing but React as a peer",
      from: { path: "^storefront/", pathNot: [SPEC, "^storefront/testing/"] },
      to: { pathNot: ["^storefront/(?!testing/)", "node_modules/(@types/)?react/"] },
    },
    {
      name: "no-gateway-type-of-medusa",
      severity: "error",
      comment: "The gateway is usable without Medusa, its types too",
      from: { path: "^src/gateway/" },
      to: { path: "node_modules/@medusajs/" },
    },
    {
      name: "no-process",
      severity: "error",
      comment: "Every user of a machine can read the command lines of its processes",
      from: { path: "^src/" },
      to: { path: "^(child_process|worker_threads)$" },
    },
    { name: "no-circle", severity: "error", comment: "Types count", from: {}, to: { circular: true } },
    { name: "not-to-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "\\.medusa/|/dist/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.check.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["require", "node", "default", "types"],
    },
  },
}
