/**
 * Fails when the admin's pages outgrow their budget: every merchant's browser loads them with the first page of the admin.
 * Needs a build. What the dashboard brings itself (React, its components, react-query) is not in the bundle and not counted.
 */
import { readFileSync } from "node:fs"

import { holdBudget } from "./bundles/budget.mjs"

const ADMIN = ".medusa/server/src/admin"

holdBudget("admin bundle", readFileSync(`${ADMIN}/index.mjs`), 45 * 1024)
// Loaded by browsers that show Arabic, besides the bundle.
holdBudget("Arabic of the admin", readFileSync(`${ADMIN}/ar.mjs`), 18 * 1024)
