/** @param {string} link @param {AbortSignal} signal */
export async function payOnHostedPage(link, signal) {
  const u = new URL(link)
  await fetch(`${u.origin}/control/payments/${u.pathname.split("/").pop()}/pay`, {
    method: "POST",
    signal,
    body: "{}",
  })
  return "paid"
}
