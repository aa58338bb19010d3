import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

import { ROOT } from "../../examples/demo/paths.mjs"
import { REPORTS, storeReport } from "../stored-report.mjs"

const FILE = join(ROOT, REPORTS["install-matrix"])

/**
 * The last run of a shop or a store.
 *
 * @typedef {object} Row
 * @property {string} name
 * @property {"shop" | "store"} kind
 * @property {string} result
 * @property {Record<string, string>} installed versions; empty when it failed
 * @property {number} seconds
 * @property {string} day
 * @property {string} commit
 */

function readRows() {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : []
}

/**
 * A row for each that ever ran and still exists, in the order of the matrix.
 *
 * @param {Row[]} rows of this run
 */
export function storeRows(rows, all) {
  const known = [...rows, ...readRows()]
  storeReport(
    FILE,
    all.flatMap(({ name }) => known.find((row) => row.name === name) ?? [])
  )
}

/** @returns {string[]} the names of those that failed, were renamed or never ran */
export function unprovenNames(all) {
  const works = readRows().filter(({ result }) => result !== "fails")
  return all.map(({ name }) => name).filter((name) => !works.some((row) => row.name === name))
}
