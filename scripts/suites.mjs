/** Drawn once, so that a change is judged by the same story as the one before it. */
const SEED = 20261122
/**
 * It draws what breaks most for the fewest boots: Postgres crashes, a server and a worker die, no region offers crypto,
 * Redis loses its data. All eight shoppers pay, two of them draft orders, one with both of their links; refunds and
 * edits follow.
 */
const CHAOS_SEED = 20272049
/** The store of an HTTP spec runs in jest's own process and would fill the log. The other suites wait for its lines. */
const ERRORS_ONLY = "LOG_LEVEL=${LOG_LEVEL:-error}"

const BUILD = {
  name: "build",
  run: "npm run build && node scripts/build-example.mjs",
  limitS: 600,
  worksUnbuilt: true,
}

/**
 * The suites of each set, in the order in which `scripts/run-suites.mjs` runs them. What each proves is in
 * docs/testing.md. `test` is `npm test`; `ci` is what `.ci/run` adds to `npm ci` (`install`) and `npm test`; `deep` is
 * `npm run test:deep`.
 *
 * @typedef {object} Suite
 * @property {string} name also of its log, reports/logs/<name>.log
 * @property {string} run a command for the shell
 * @property {number} limitS its processes are ended after so many seconds: about five times what it takes on two quiet
 *   cores
 * @property {string} [alongside] in a whole set it runs at the same time as this suite: neither keeps both cores busy
 *   all the time
 * @property {true} [worksUnbuilt] it does not need `npm run build`
 * @type {Record<string, Suite[]>}
 */
export const SUITES = {
  install: [{ name: "install", run: "npm ci", limitS: 600, worksUnbuilt: true }],
  test: [
    BUILD,
    { name: "check", run: "npm run check", limitS: 1500, alongside: "http-gate" },
    { name: "unit", run: "npm run test:unit", limitS: 900, alongside: "build", worksUnbuilt: true },
    { name: "http-gate", run: `${ERRORS_ONLY} npm run test:integration -- --silent`, limitS: 1500 },
    { name: "browser-gate", run: "npm run test:browser:gate", limitS: 1600 },
    {
      ...{ name: "crash-matrix-sample", limitS: 600, alongside: "browser-gate" },
      run: `npm run test:crash-matrix -- --sample 4 --seed ${SEED}`,
    },
    {
      ...{ name: "chaos-sample", limitS: 750, alongside: "browser-gate" },
      run: `npm run chaos -- --checkouts 8 --seed ${CHAOS_SEED}`,
    },
  ],
  ci: [
    { name: "demo", run: "npm run demo -- --once", limitS: 300 },
    { name: "install-one-shop", run: 'npm run test:install-matrix -- "first: Vite"', limitS: 300 },
    {
      ...{ name: "release-dry-run", limitS: 120 },
      run: "npm run release -- --dry-run --repository https://example.test/owner/name",
    },
  ],
  deep: [
    BUILD,
    {
      ...{ name: "http", limitS: 6000 },
      run: `${ERRORS_ONLY} AUDIT_PAYMENTS=100000 npm run test:http -- --silent`,
    },
    { name: "browser", run: "npm run test:browser", limitS: 5000 },
    { name: "cluster", run: "npm run test:cluster", limitS: 4000 },
    { name: "crash-matrix", run: "npm run test:crash-matrix -- --seed 1", limitS: 10_000 },
    { name: "chaos-1", run: "npm run chaos -- --checkouts 500 --seed 1", limitS: 12_000 },
    { name: "chaos-2", run: "npm run chaos -- --checkouts 500 --seed 2", limitS: 12_000 },
    { name: "fuzz", run: `${ERRORS_ONLY} npm run fuzz`, limitS: 4000 },
    { name: "route-fuzz", run: `${ERRORS_ONLY} npm run fuzz:routes`, limitS: 4000 },
    { name: "mutation", run: "npm run test:mutation", limitS: 30_000 },
    { name: "install-matrix", run: "npm run test:install-matrix -- --report", limitS: 8000 },
  ],
}
