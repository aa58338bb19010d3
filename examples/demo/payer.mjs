import { DemoProblem } from "./demo-problem.mjs"

const COIN = "ETH"

/**
 * Pays as a browser would: reads the page behind the payment link and presses its buttons. The page answers with the
 * way back to the shop, which is not followed: this payer closes the browser.
 *
 * @param {string} paymentLink
 * @param {AbortSignal} signal
 */
export async function payOnHostedPage(paymentLink, signal) {
  await press(paymentLink, `coin:${COIN}`, signal)
  await press(paymentLink, "pay", signal)
}

/**
 * @param {string} pageUrl
 * @param {string} value of the button
 * @param {AbortSignal} signal
 */
export async function press(pageUrl, value, signal) {
  const page = await (await fetch(pageUrl, { signal })).text()
  const form = page
    .split("<form ")
    .map((text) => text.split("</form>")[0] ?? "")
    .find((text) => text.includes(`value="${value}"`))
  const action = /action="([^"]*)"/.exec(form ?? "")?.[1]
  const name = new RegExp(`name="([^"]*)" value="${value}"`).exec(form ?? "")?.[1]
  if (action === undefined || name === undefined) {
    throw new DemoProblem(`The payment page ${pageUrl} has no button "${value}".`)
  }
  const response = await fetch(new URL(action, pageUrl), {
    method: "POST",
    body: new URLSearchParams({ [name]: value }),
    redirect: "manual",
    signal,
  })
  if (response.status !== 303) {
    throw new DemoProblem(`The payment page answered ${String(response.status)} to "${value}".`)
  }
}
