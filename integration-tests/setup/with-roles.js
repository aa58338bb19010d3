// defineConfig leaves the module of roles out where the flag is not known yet, and core reads MEDUSA_FF_RBAC after it.
const { FeatureFlag } = require("@medusajs/framework/utils")

FeatureFlag.setFlag("rbac", true)
