/**
 * Leaves out the tests that integration-tests/quarantine.json names, except with QUARANTINE=run, as in `npm run test:deep`.
 * A test is known by its title as the source has it and by the file that calls `it`, which another spec may import.
 */
const quarantined = process.env["QUARANTINE"] === "run" ? [] : require("../quarantine.json")

if (quarantined.length > 0) {
  globalThis.it = globalThis.test = leavingOut(globalThis.it)
}

function leavingOut(it) {
  const run = (title, ...rest) => (isQuarantined(title) ? it.skip : it)(title, ...rest)
  const each =
    (...table) =>
    (title, ...rest) =>
      (isQuarantined(title) ? it.skip : it).each(...table)(title, ...rest)
  return Object.assign(run, it, { each })
}

function isQuarantined(title) {
  const { stack } = new Error()
  return quarantined.some(({ file, test }) => test === title && stack.includes(`/${file}:`))
}
