// Imported before undici, which ends an older Node with "File is not defined".
if (Number.parseInt(process.versions.node) < 20) {
  throw new Error(
    `medusa-payment-crypto needs Node 20.19 or newer, and of version 22 at least 22.12. This is Node ${process.versions.node}.`
  )
}
