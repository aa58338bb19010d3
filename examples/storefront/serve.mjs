import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import { extname, join } from "node:path"
import { fileURLToPath } from "node:url"

const BUILT = fileURLToPath(new URL("./dist", import.meta.url))
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
}

/**
 * Serves the built shop: its files, its configuration, and its one page for every other path. Any static host does the
 * same.
 *
 * @param {number} port 0 for any that is free
 * @param {{storeUrl: string, publishableKey: string, orderPlacement?: "after_payment" | "before_payment"}} config
 * @returns {Promise<{url: string, close: () => Promise<void>}>}
 */
export async function serveShop(port, config) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://shop")
    if (pathname === "/config.json") {
      response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" })
      response.end(JSON.stringify(config))
      return
    }
    // The bundler names files flatly, so nothing but such a name is looked up.
    const file = /^\/assets\/[\w-]+\.\w+$/.test(pathname) ? pathname : "/index.html"
    readFile(join(BUILT, file)).then(
      (content) => {
        response.writeHead(200, {
          "content-type": TYPES[extname(file)] ?? "application/octet-stream",
          "cache-control": file === "/index.html" ? "no-store" : "max-age=31536000, immutable",
        })
        response.end(content)
      },
      () => response.writeHead(404).end()
    )
  })
  await new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "localhost", () => resolve(undefined))
  })
  const address = /** @type {import("node:net").AddressInfo} */ (server.address())
  return {
    url: `http://localhost:${String(address.port)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
