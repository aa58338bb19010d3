// What a developer's shell sets for a store of their own is not for the stores of these tests, which read it too.
const READ_BY_STORES =
  /^(PORT|REDIS_URL|(MEDUSA_)?WORKER_MODE|(BACKEND|STOREFRONT)_URL|(STORE|ADMIN|AUTH)_CORS|CRYPTO_PAYMENTS_.*)$/

for (const name of Object.keys(process.env).filter((name) => READ_BY_STORES.test(name))) {
  Reflect.deleteProperty(process.env, name)
}
