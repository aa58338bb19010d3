const TICK_MS = 1000
const HEARTBEAT_MS = 15_000

/** @param {number} ms */
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`

/**
 * Does one step and shows that it is being done: a running clock on a terminal, a line now and then in a log.
 *
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @param {(result: T) => string} [describe] what to add to the title when done
 * @returns {Promise<T>}
 */
export async function step(title, work, describe = () => "") {
  const { isTTY } = process.stdout
  const startedAt = Date.now()
  const elapsed = () => seconds(Date.now() - startedAt)
  const show = () => {
    process.stdout.write(isTTY ? `\r\x1b[K  … ${title} ${elapsed()}` : `  … ${title} ${elapsed()}\n`)
  }
  show()
  const clock = setInterval(show, isTTY ? TICK_MS : HEARTBEAT_MS)
  let mark = "✗"
  let note = ""
  try {
    const result = await work()
    mark = "✓"
    note = describe(result)
    return result
  } finally {
    clearInterval(clock)
    process.stdout.write(
      `${isTTY ? "\r\x1b[K" : ""}  ${mark} ${title}${note && `: ${note}`} (${elapsed()})\n`
    )
  }
}

/** @param {string} text */
export function say(text) {
  process.stdout.write(`${text}\n`)
}
