import { once } from "node:events"
import { createServer as createPlainServer } from "node:http"
import { createServer, type Server } from "node:https"
import type { AddressInfo } from "node:net"
import tls from "node:tls"
import { AUTHORITY, CERTIFICATES, KEY } from "./certificates-under-test.spec"
import { GatewayClient, type GatewayClientOptions } from "./client"
import { input } from "./client-under-test.spec"
import { unavailable } from "./transport-under-test.spec"

let server: Server
let requests: number

async function serve(cert: string): Promise<GatewayClientOptions> {
  server = createServer({ key: KEY, cert }, (_, response) => {
    requests += 1
    response.end()
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return { baseUrl: `https://localhost:${String((server.address() as AddressInfo).port)}` }
}

/** As NODE_EXTRA_CA_CERTS does, which Node reads only when it starts. */
function trust(ca: string): void {
  const { connect } = tls
  jest
    .spyOn(tls, "connect")
    .mockImplementation(((options: tls.ConnectionOptions) => connect({ ...options, ca })) as never)
}

beforeEach(() => {
  requests = 0
})
afterEach(async () => {
  jest.restoreAllMocks()
  server.close()
  await once(server, "close")
})

const create = async (options: GatewayClientOptions): ReturnType<typeof unavailable> => {
  const client = new GatewayClient(options)
  return await unavailable(client.createPaymentRequest(input))
}

it.each<[string, keyof typeof CERTIFICATES, string]>([
  ["expired", "expired", "certificate_expired"],
  ["not valid yet", "early", "certificate_expired"],
  ["for another host", "other", "certificate_wrong_host"],
])("a certificate that is %s is named, and nothing was sent", async (_, name, reason) => {
  const options = await serve(CERTIFICATES[name])
  trust(AUTHORITY)
  expect(await create(options)).toMatchObject({ reason, outcomeUnknown: false })
  expect(requests).toBe(0)
})

it.each([
  ["an unknown authority", CERTIFICATES.valid],
  ["an unknown authority that is sent too", `${CERTIFICATES.valid}\n${AUTHORITY}`],
  ["no authority", AUTHORITY],
])("a certificate of %s is named as not trusted, and nothing was sent", async (_, chain) => {
  const options = await serve(chain)
  expect(await create(options)).toMatchObject({ reason: "certificate_untrusted", outcomeUnknown: false })
  expect(requests).toBe(0)
})

it("a certificate of a trusted authority is taken", async () => {
  const options = await serve(CERTIFICATES.valid)
  trust(AUTHORITY)
  const client = new GatewayClient(options)
  await expect(client.createPaymentRequest(input)).rejects.toMatchObject({ code: "gateway_malformed" })
  expect(requests).toBe(1)
})

it("what does not speak TLS is named", async () => {
  server = createPlainServer() as Server
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const error = await create({ baseUrl: `https://localhost:${String(port)}` })
  expect(error).toMatchObject({ reason: "tls_failed" })
})
