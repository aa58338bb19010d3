import { defineConfig, loadEnv } from "@medusajs/framework/utils"

const environment = process.env["NODE_ENV"] ?? "development"
loadEnv(environment, process.cwd())

const storefrontUrl = process.env["STOREFRONT_URL"] ?? "http://localhost:8000"
const backendUrl = process.env["BACKEND_URL"] ?? "http://localhost:9000"
// In production Medusa refuses to start without secrets, so there is a fallback in development only.
const developmentSecret = environment === "production" ? "" : "development-only"

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env["DATABASE_URL"] ?? "postgres://localhost/medusa-payment-crypto-store",
    databaseDriverOptions: { connection: { ssl: false } },
    http: {
      storeCors: process.env["STORE_CORS"] ?? storefrontUrl,
      adminCors: process.env["ADMIN_CORS"] ?? backendUrl,
      authCors: process.env["AUTH_CORS"] ?? `${storefrontUrl},${backendUrl}`,
      jwtSecret: process.env["JWT_SECRET"] ?? developmentSecret,
      cookieSecret: process.env["COOKIE_SECRET"] ?? developmentSecret,
    },
    // This store is looked at over plain http; a secure cookie would never come back and the admin's login would fail.
    cookieOptions: { secure: false, sameSite: "lax" },
  },
  admin: { disable: process.env["ADMIN_DISABLED"] === "true", backendUrl: "/" },
  plugins: [{ resolve: "medusa-payment-crypto", options: {} }],
  modules: [
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
              auth: { type: "bearer", token: process.env["CRYPTO_PAYMENTS_TOKEN"] },
              successUrl: `${storefrontUrl}/checkout/return?session_id={session_id}`,
              failedUrl: `${storefrontUrl}/checkout/failed?session_id={session_id}`,
            },
          },
        ],
      },
    },
  ],
})
