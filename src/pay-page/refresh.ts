/**
 * The page's whole script: while a payment may be arriving, and when the payer comes back to the page, it reads the
 * page again and shows what has changed. A hidden page waits, and a page that is left open stops after ten minutes.
 * Without scripts, the payer reloads the page.
 */
export const SCRIPT = `
(() => {
  const state = document.getElementById("state");
  let left = 120;
  let isReading = false;
  const refresh = async () => {
    if (isReading || document.hidden || left-- <= 0) return;
    isReading = true;
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const id of ["state", "action", "items"]) {
        const shown = document.getElementById(id);
        const read = page.getElementById(id);
        if (read && shown.innerHTML !== read.innerHTML) shown.replaceChildren(...read.childNodes);
      }
      state.dataset.refresh = page.getElementById("state")?.dataset.refresh ?? state.dataset.refresh;
    } catch {
      // The next read may succeed.
    }
    isReading = false;
  };
  setInterval(() => state.dataset.refresh === "true" && refresh(), 5000);
  addEventListener("pageshow", (event) => event.persisted && refresh());
  document.addEventListener("visibilitychange", refresh);
})();
`
