import { once } from "node:events"
import { createServer } from "node:http"

/** A package registry that has nothing. */
export async function startEmptyRegistry() {
  const server = createServer((_request, response) => {
    response.writeHead(404, { "content-type": "application/json" }).end("{}")
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address())
  return { url: `http://127.0.0.1:${String(port)}/`, close: () => server.close() }
}
