import { DemoProblem } from "./demo-problem.mjs"

/**
 * A JSON client for one server. Answers are `any`: the callers name what they read.
 *
 * @param {string} origin
 * @param {Record<string, string>} headers sent with every request
 * @param {AbortSignal} signal
 */
export function httpClient(origin, headers, signal) {
  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} body
   */
  async function send(method, path, body) {
    try {
      return await fetch(`${origin}${path}`, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal,
      })
    } catch (error) {
      signal.throwIfAborted()
      const { cause } = /** @type {Error} */ (error)
      throw new DemoProblem(`${method} ${origin}${path} got no answer: ${String(cause)}`)
    }
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @returns {Promise<any>}
   */
  async function call(method, path, body) {
    const response = await send(method, path, body)
    const text = await response.text()
    if (!response.ok) {
      throw new DemoProblem(`${method} ${path} answered ${String(response.status)}: ${text}`)
    }
    return JSON.parse(text)
  }
  return {
    /** @param {string} path */
    get: (path) => call("GET", path),
    /**
     * @param {string} path
     * @param {unknown} [body]
     */
    post: (path, body = {}) => call("POST", path, body),
    /** @param {string} path */
    delete: (path) => call("DELETE", path),
  }
}

/** @typedef {ReturnType<typeof httpClient>} HttpClient */
