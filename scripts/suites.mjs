/**
 * Every suite that `scripts/run-suites.mjs` knows, in the order in which a set runs them.
 *
 * What each proves is in docs/testing.md. `test` is `npm test`; `ci` is what `.ci/run` adds to `npm ci` (`install`) and
 * `npm test`; `deep` is `npm run test:deep`.
 *
 * @typedef {object} Suite
 * @property {string} name also of its log, reports/logs/<name>.log
 * @property {string} run a command for the shell
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

export const SUITES = [
  { name: "install", run: "npm ci", limitS: 600, sets: ["install"], worksUnbuilt: true },
  {
    name: "build",
    run: "npm run build && node scripts/build-example.mjs",
    limitS: 600,
    sets: ["test", "deep"],
    worksUnbuilt: true,
  },
  { name: "check", run: "npm run check", limitS: 1500, sets: ["test"], alongside: "http-gate" },
  {
    name: "unit",
    run: "npm run test:unit",
    limitS: 900,
    sets: ["test"],
    alongside: "build",
    worksUnbuilt: true,
  },
  {
    name: "http-gate",
    run: `${ERRORS_ONLY} npm run test:integration -- --silent`,
    limitS: 1500,
    sets: ["test"],
  },
  { name: "browser-gate", run: "npm run test:browser:gate", limitS: 1600, sets: ["test"] },
  {
    name: "crash-matrix-sample",
    run: `npm run test:crash-matrix -- --sample 4 --seed ${SEED}`,
    limitS: 600,
    sets: ["test"],
    alongside: "browser-gate",
  },
  {
    name: "chaos-sample",
    run: `npm run chaos -- --checkouts 8 --seed ${CHAOS_SEED}`,
    limitS: 750,
    sets: ["test"],
    alongside: "browser-gate",
  },
  { name: "demo", run: "npm run demo -- --once", limitS: 300, sets: ["ci"] },
  {
    name: "install-one-shop",
    run: 'npm run test:install-matrix -- "first: Vite"',
    limitS: 300,
    sets: ["ci"],
  },
  {
    name: "release-dry-run",
    run: "npm run release -- --dry-run --repository https://example.test/owner/name",
    limitS: 120,
    sets: ["ci"],
  },
  { name: "tarball", run: "npm run test:tarball", limitS: 2800, sets: ["deep"] },
  {
    name: "http",
    run: `${ERRORS_ONLY} AUDIT_PAYMENTS=100000 npm run test:http -- --silent`,
    limitS: 6000,
    sets: ["deep"],
  },
  { name: "browser", run: "npm run test:browser", limitS: 5000, sets: ["deep"] },
  { name: "cluster", run: "npm run test:cluster", limitS: 4000, sets: ["deep"] },
  {
    name: "crash-matrix",
    run: "npm run test:crash-matrix -- --seed 1",
    limitS: 10_000,
    sets: ["deep"],
  },
  ...[1, 2].map((seed) => ({
    name: `chaos-${seed}`,
    run: `npm run chaos -- --checkouts 500 --seed ${seed}`,
    limitS: 12_000,
    sets: ["deep"],
  })),
  { name: "fuzz", run: `${ERRORS_ONLY} npm run fuzz`, limitS: 4000, sets: ["deep"] },
  { name: "route-fuzz", run: `${ERRORS_ONLY} npm run fuzz:routes`, limitS: 4000, sets: ["deep"] },
  { name: "mutation", run: "npm run test:mutation", limitS: 30_000, sets: ["deep"] },
  { name: "install-matrix", run: "npm run test:install-matrix -- --report", limitS: 8000, sets: ["deep"] },
  ...[NEWER_NODE, NEWEST_NODE].map((version) => ({
    name: `node-${version.slice(0, 2)}`,
    run: `npm run test:node -- ${version}`,
    limitS: 1500,
    sets: ["deep"],
  })),
  { name: "bench", run: "npm run bench -- self-audit", limitS: 2500, sets: ["deep"] },
]
