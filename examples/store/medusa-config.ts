import { defineConfig, loadEnv } from "@medusajs/framework/utils"

const environment = process.env["NODE_ENV"] ?? "development"
loadEnv(environment, process.cwd())

const storefrontUrl = process.env["STOREFRONT_URL"] ?? "http://localhost:8000"
const backendUrl = process.env["BACKEND_URL"] ?? "http://localhost:9000"
// Over plain http, as in development, browsers do not return a secure cookie, and the admin's login would fail. In
// production cookies are secure, unless the store's own address is http, as in the demo on one machine.
const isPlainHttp = process.env["BACKEND_URL"]?.startsWith("http://") ?? environment !== "production"
// In production Medusa refuses to start without secrets, so only development has a fallback.
const developmentSecret = environment === "production" ? "" : "development-only"
const allowedOrigins = process.env["CRYPTO_PAYMENTS_ALLOWED_ORIGINS"]
const paymentLinkHosts = process.env["CRYPTO_PAYMENTS_LINK_HOSTS"]
// A second provider, for another API of the same gateway account. Most stores need only one.
const secondProvider = process.env["CRYPTO_PAYMENTS_SECOND_PROVIDER"]
const unpaidOrderTtl = process.env["CRYPTO_PAYMENTS_UNPAID_ORDER_TTL_MINUTES"]

// Several instances share events, workflows and, above all, locks through Redis. Without it a cart would be locked in
// one process only, and two processes could complete it. One instance needs none of this.
const redisUrl = process.env["REDIS_URL"]
const workerMode = process.env["WORKER_MODE"] as "server" | "worker" | "shared" | undefined

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env["DATABASE_URL"] ?? "postgres://localhost/medusa-payment-crypto-store",
    ...(redisUrl ? { redisUrl } : {}),
    ...(workerMode ? { workerMode } : {}),
    databaseDriverOptions: { connection: { ssl: false } },
    http: {
      storeCors: process.env["STORE_CORS"] ?? storefrontUrl,
      adminCors: process.env["ADMIN_CORS"] ?? backendUrl,
      authCors: process.env["AUTH_CORS"] ?? `${storefrontUrl},${backendUrl}`,
      jwtSecret: process.env["JWT_SECRET"] ?? developmentSecret,
      cookieSecret: process.env["COOKIE_SECRET"] ?? developmentSecret,
    },
    cookieOptions: { secure: !isPlainHttp, sameSite: "lax" },
  },
  // The admin's "Copy payment link" copies the shop's `/payment-collection/<id>`.
  admin: { disable: process.env["ADMIN_DISABLED"] === "true", backendUrl: "/", storefrontUrl },
  plugins: [{ resolve: "medusa-payment-crypto", options: {} }],
  modules: [
    ...(redisUrl ? enginesOnRedis(redisUrl) : []),
    {
      resolve: "@medusajs/medusa/payment",
      dependencies: ["cryptoPayments"],
      options: {
        providers: [
          {
            resolve: "medusa-payment-crypto/providers/crypto",
            id: "default",
            options: {
              baseUrl: process.env["CRYPTO_PAYMENTS_BASE_URL"],
              secretKey: process.env["CRYPTO_PAYMENTS_SECRET_KEY"],
              orderPlacement: process.env["CRYPTO_PAYMENTS_ORDER_PLACEMENT"],
              ...(unpaidOrderTtl === undefined ? {} : { unpaidOrderTtlMinutes: Number(unpaidOrderTtl) }),
              // Options that are not given here can be saved in the admin, under Settings, Crypto payments.
              ...(process.env["CRYPTO_PAYMENTS_TOKEN"]
                ? { auth: { type: "bearer", token: process.env["CRYPTO_PAYMENTS_TOKEN"] } }
                : {}),
              // With an address that is saved in the admin, the secrets above are sent only to these origins.
              ...(allowedOrigins ? { allowedOrigins: allowedOrigins.split(",") } : {}),
              // Payers are sent only to these hosts.
              ...(paymentLinkHosts ? { paymentLinkHosts: paymentLinkHosts.split(",") } : {}),
              // The channel of a Notification provider that reminds payers, such as "email".
              remindChannel: process.env["CRYPTO_PAYMENTS_REMIND_CHANNEL"],
              publicUrl: process.env["CRYPTO_PAYMENTS_PUBLIC_URL"],
              successUrl: `${storefrontUrl}/checkout/return?session_id={session_id}`,
              failedUrl: `${storefrontUrl}/checkout/return?session_id={session_id}&failed=1`,
            },
          },
          ...(secondProvider ? [anotherProvider(secondProvider)] : []),
        ],
      },
    },
  ],
})

function anotherProvider(id: string) {
  const ttl = process.env["CRYPTO_PAYMENTS_SECOND_UNPAID_ORDER_TTL_MINUTES"]
  return {
    resolve: "medusa-payment-crypto/providers/crypto",
    id,
    options: {
      baseUrl: process.env["CRYPTO_PAYMENTS_BASE_URL"],
      secretKey:
        process.env["CRYPTO_PAYMENTS_SECOND_SECRET_KEY"] ?? process.env["CRYPTO_PAYMENTS_SECRET_KEY"],
      auth: { type: "bearer", token: process.env["CRYPTO_PAYMENTS_TOKEN"] },
      orderPlacement: process.env["CRYPTO_PAYMENTS_SECOND_ORDER_PLACEMENT"],
      ...(ttl === undefined ? {} : { unpaidOrderTtlMinutes: Number(ttl) }),
      successUrl: `${storefrontUrl}/checkout/return?session_id={session_id}`,
      failedUrl: `${storefrontUrl}/checkout/return?session_id={session_id}&failed=1`,
    },
  }
}

function enginesOnRedis(url: string) {
  return [
    { resolve: "@medusajs/medusa/event-bus-redis", options: { redisUrl: url } },
    { resolve: "@medusajs/medusa/workflow-engine-redis", options: { redis: { redisUrl: url } } },
    {
      resolve: "@medusajs/medusa/locking",
      options: {
        providers: [
          {
            resolve: "@medusajs/medusa/locking-redis",
            id: "locking-redis",
            is_default: true,
            options: { redisUrl: url },
          },
        ],
      },
    },
  ]
}
