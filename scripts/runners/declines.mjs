// Loaded before the demo: its payer presses Decline instead of Pay.
const { fetch } = globalThis

globalThis.fetch = async (url, options) => {
  const isPay = options?.body instanceof URLSearchParams && [...options.body.values()].includes("pay")
  const [name = ""] = isPay ? options.body.keys() : []
  return await fetch(url, isPay ? { ...options, body: new URLSearchParams({ [name]: "decline" }) } : options)
}
