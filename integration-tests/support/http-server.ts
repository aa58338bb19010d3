import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"

/** A server on a free port of this machine. @param answer gets each request with its whole body */
export async function startServer(
  answer: (request: IncomingMessage, body: Buffer, response: ServerResponse) => unknown
): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (request, response) => answer(request, await buffer(request), response))
  await once(server.listen(0, "127.0.0.1"), "listening")
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
