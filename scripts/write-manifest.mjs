/**
 * Prints medusa-plugin.json, the plugin's manifest for people and tools, from package.json and the options' zod schema.
 * `npm run manifest` writes it, and `npm run check:manifest` compares it. Needs a build.
 */
import { createRequire } from "node:module"

const require = createRequire(import.meta.url)
const built = "../.medusa/server/src"
const { z } = require("@medusajs/framework/zod")
const { writtenOptionsSchema } = require(`${built}/modules/crypto-payments/settings/options-schema.js`)
const { default: provider } = require(`${built}/providers/crypto/service.js`)
const { name, version, description, peerDependencies, engines } = require("../package.json")

const manifest = {
  $comment:
    "Written by npm run manifest. Medusa does not read this file. It is for people, and for tools that check the " +
    "options of medusa-config against the JSON Schema in it.",
  name,
  version,
  description,
  medusa: peerDependencies["@medusajs/medusa"],
  node: engines.node,
  module: "cryptoPayments",
  provider: {
    identifier: provider.identifier,
    resolve: `${name}/providers/${provider.identifier}`,
    id: `pp_${provider.identifier}_<id>`,
  },
  webhook: { method: "POST", path: `/hooks/payment/${provider.identifier}_<id>` },
  options: z.toJSONSchema(writtenOptionsSchema, { io: "input" }),
}
process.stdout.write(JSON.stringify(manifest))
