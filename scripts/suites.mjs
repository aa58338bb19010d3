/**
 * Every suite that `scripts/run-suites.mjs` knows, in the order in which a set runs them.
 *
 * `test` is `npm test`; `ci` is what `.ci/run` adds to `npm ci` (`install`) and `npm test`; `deep` is `npm run test:deep`.
 *
 * @typedef {object} Suite
 * @property {string} name also of its log, reports/logs/<name>.log
 * @property {string} run a command for the shell
 * @property {string} proves
 * @property {number} limitS its processes are ended after so many seconds: about five times what it takes on two quiet cores
 * @property {("install" | "test" | "ci" | "deep")[]} sets
 * @property {string} [alongside] in a whole set it runs at the same time as this suite: neither keeps both cores busy all the time
 * @property {true} [worksUnbuilt] it does not need `npm run build`
 */

import { NEWER_NODE, NEWEST_NODE } from "./node-versions.mjs"

/** Drawn once, so that a change is judged by the same story as the one before it. */
const SEED = 20261122
/** It draws what breaks most for the fewest boots: Postgres crashes, a server and a worker die, no region offers crypto, Redis loses its data. */
const CHAOS_SEED = 20262052
/** The store of an HTTP spec runs in jest's own process and would fill the log. The other suites wait for its lines. */
const ERRORS_ONLY = "LOG_LEVEL=${LOG_LEVEL:-error}"

/** @type {Suite[]} */
export const SUITES = [
  {
    name: "install",
    run: "npm ci",
    proves: "the lock file installs",
    limitS: 600,
    sets: ["install"],
    worksUnbuilt: true,
  },
  {
    name: "build",
    run: "npm run build && node scripts/build-example.mjs",
    proves: "the plugin, its admin, the sandbox, the storefront, the example store and its shop compile",
    limitS: 600,
    sets: ["test", "deep"],
    worksUnbuilt: true,
  },
  {
    name: "check",
    run: "npm run check",
    proves: "types, lint, format, links, sizes, rooms, package and everything else that is read, not run",
    limitS: 1500,
    sets: ["test"],
    alongside: "http-gate",
  },
  {
    name: "unit",
    run: "npm run test:unit",
    proves: "each function keeps its rules",
    limitS: 900,
    sets: ["test"],
    alongside: "build",
    worksUnbuilt: true,
  },
  {
    name: "http-gate",
    run: `${ERRORS_ONLY} npm run test:integration -- --silent`,
    proves: "checkouts, settles, refunds and repairs are right in a real store on a real Postgres, over HTTP",
    limitS: 1500,
    sets: ["test"],
  },
  {
    name: "browser-gate",
    run: "npm run test:browser:gate",
    proves: "settings, checkout, order pages and a refund work in a browser, in English",
    limitS: 1600,
    sets: ["test"],
  },
  {
    name: "crash-matrix-sample",
    run: `npm run test:crash-matrix -- --sample 4 --seed ${SEED}`,
    proves: "a process killed at any of four writes or calls leaves nothing lost or doubled",
    limitS: 600,
    sets: ["test"],
    alongside: "browser-gate",
  },
  {
    name: "chaos-sample",
    run: `npm run chaos -- --checkouts 8 --seed ${CHAOS_SEED}`,
    proves: "eight checkouts and what becomes of their orders end right while processes and services fail",
    limitS: 750,
    sets: ["test"],
    alongside: "browser-gate",
  },
  {
    name: "demo",
    run: "npm run demo -- --once",
    proves: "the README's demo takes one payment",
    limitS: 300,
    sets: ["ci"],
  },
  {
    name: "install-one-shop",
    run: 'npm run test:install-matrix -- "first: Vite"',
    proves:
      "the packed storefront package installs from the registry and is built in a shop with other versions",
    limitS: 300,
    sets: ["ci"],
  },
  {
    name: "release-dry-run",
    run: "npm run release -- --dry-run --repository https://example.test/owner/name",
    proves: "both packages can be published: the changelog, the manifests, the links of their READMEs",
    limitS: 120,
    sets: ["ci"],
  },
  {
    name: "tarball",
    run: "npm run test:tarball",
    proves: "the packed package takes a payment in a store elsewhere",
    limitS: 2800,
    sets: ["deep"],
  },
  {
    name: "http",
    run: `${ERRORS_ONLY} AUDIT_PAYMENTS=100000 npm run test:http -- --silent`,
    proves: "every HTTP spec passes",
    limitS: 6000,
    sets: ["deep"],
  },
  {
    name: "browser",
    run: "npm run test:browser",
    proves: "every page and action of the admin and of the example shop works and is accessible",
    limitS: 5000,
    sets: ["deep"],
  },
  {
    name: "cluster",
    run: "npm run test:cluster",
    proves:
      "two hundred payments, hostile input and a rolling restart end right on two servers and two workers",
    limitS: 4000,
    sets: ["deep"],
  },
  {
    name: "crash-matrix",
    run: "npm run test:crash-matrix -- --seed 1 --report reports/crash-matrix.json",
    proves: "a process killed at any write or call of any flow leaves nothing lost or doubled",
    limitS: 10_000,
    sets: ["deep"],
  },
  ...[1, 2].map((seed) => ({
    name: `chaos-${seed}`,
    run: `npm run chaos -- --checkouts 500 --seed ${seed} --report reports/chaos-${seed}.json`,
    proves: `500 checkouts end right while processes and services fail (seed ${seed})`,
    limitS: 12_000,
    sets: /** @type {["deep"]} */ (["deep"]),
  })),
  {
    name: "fuzz",
    run: `${ERRORS_ONLY} npm run fuzz`,
    proves: "100,000 webhook bodies crash nothing and none is accepted falsely",
    limitS: 4000,
    sets: ["deep"],
  },
  {
    name: "route-fuzz",
    run: `${ERRORS_ONLY} npm run fuzz:routes`,
    proves: "200,000 requests to every route are never answered 5xx and change no payment",
    limitS: 4000,
    sets: ["deep"],
  },
  {
    name: "mutation",
    run: "npm run test:mutation",
    proves: "the unit tests notice small changes of the code that decides about money",
    limitS: 30_000,
    sets: ["deep"],
  },
  {
    name: "install-matrix",
    run: "npm run test:install-matrix -- --report",
    proves:
      "both packages install and work in shops and stores as they are found, one with the oldest Medusa that is supported",
    limitS: 8000,
    sets: ["deep"],
  },
  ...[NEWER_NODE, NEWEST_NODE].map((version) => ({
    name: `node-${version.slice(0, 2)}`,
    run: `npm run test:node -- ${version}`,
    proves: `the unit tests and the checkout pass on Node ${version}`,
    limitS: 1500,
    sets: /** @type {["deep"]} */ (["deep"]),
  })),
  {
    name: "bench",
    run: "npm run bench -- self-audit",
    proves: "the audit of 100,000 payments stays within its limit",
    limitS: 2500,
    sets: ["deep"],
  },
]
