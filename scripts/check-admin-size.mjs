/**
 * Fails when the admin's pages outgrow their budget: every merchant's browser loads them with the first page of the admin.
 * Needs a build. What the dashboard brings itself (React, its components, react-query) is not in the bundle and not counted.
 */
import { readFileSync } from "node:fs"

import { holdBudget } from "./bundles/budget.mjs"

holdBudget("admin bundle", readFileSync(".medusa/server/src/admin/index.mjs"), 55 * 1024)
