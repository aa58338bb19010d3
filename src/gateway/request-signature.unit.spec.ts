import { requestSignature } from "./auth"

// Computed outside this code, with OpenSSL 3.0; the same values are in docs/gateway.md:
//   printf '%s' 'GET/api/v1/api/payments1700000000' | openssl dgst -sha256 -hmac 'sandbox-secret-key'
const secretKey = "sandbox-secret-key"

const vectors = [
  {
    method: "GET",
    path: "/api/v1/api/payments",
    timestamp: 1700000000,
    digest: "2596d9492fe43e46c05adfb3abb44467660e0e399b30c3429289f8f2426716bd",
  },
  {
    method: "POST",
    path: "/api/v1/api/payments",
    timestamp: 1700000000,
    digest: "a0b53f32e244f4cb8f11e2ee844fe29858f6a72ad6b31dd95545a478f49a6feb",
  },
  {
    method: "GET",
    path: "/api/payments/pr_0001",
    timestamp: 1700000001,
    digest: "50131cd185da65f351608a1a1207ece168602e606cfe364ff0fdaadac5fbf431",
  },
  {
    method: "GET",
    path: "/api/v1/api/balances/AED",
    timestamp: 1767225600,
    digest: "2e245995652d3298198007fcb73518e4e7a7617f2bee2202e94c91d5ad8fe0a9",
  },
]

describe("requestSignature", () => {
  it.each(vectors)("is the published value for $method $path at $timestamp", ({ digest, ...input }) => {
    expect(requestSignature({ ...input, secretKey })).toBe(digest)
  })
})
