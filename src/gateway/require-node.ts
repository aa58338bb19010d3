// Imported before undici, which ends an older Node with "File is not defined". It refuses what `engines` does not allow.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 20 || (major === 20 && minor < 19) || major === 21 || (major === 22 && minor < 12)) {
  throw new Error(
    `medusa-payment-crypto needs Node 20 from 20.19 on, or 22.12 or newer. This is Node ${process.versions.node}.`
  )
}

// A module, so that bundlers run it where it is imported.
export {}
