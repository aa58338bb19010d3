import { createContext, runInContext } from "node:vm"
import { SCRIPT } from "./refresh"

/** The two parts of a page that its script changes. */
interface FakePage {
  state: { innerHTML: string; dataset: { refresh: string } }
  action: { innerHTML: string }
}

const pageOf = (words: string, refresh: boolean, button = ""): FakePage => ({
  state: { innerHTML: words, dataset: { refresh: String(refresh) } },
  action: { innerHTML: button },
})

/** As much of a browser as the script uses. A part's children are its text. */
function open(page: FakePage, answers: (FakePage | Error)[]) {
  const listeners = new Map<string, (event: { persisted: boolean }) => unknown>()
  const parts = Object.entries(page).map(([id, part]: [string, { innerHTML: string }]) => {
    const replaceChildren = (...nodes: string[]): void => {
      part.innerHTML = nodes.join("")
    }
    return [id, Object.assign(part, { replaceChildren })] as const
  })
  const elements = new Map<string, unknown>(parts)
  const browser = {
    reads: 0,
    every: 0,
    tick: (): unknown => undefined,
    document: { hidden: false, getElementById: (id: string) => elements.get(id) },
    come: async (event: string, persisted = false): Promise<void> => {
      listeners.get(event)?.({ persisted })
      await settled()
    },
    pass: async (): Promise<void> => {
      browser.tick()
      await settled()
    },
  }
  const fetch = async (address: string): Promise<object> => {
    browser.reads++
    expect(address).toBe("https://store.example/page?lang=ar")
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (answer instanceof Error) {
      throw answer
    }
    return await Promise.resolve({ text: async () => await Promise.resolve(answer) })
  }
  class DOMParser {
    parseFromString(answer: unknown) {
      const read = answer as Record<string, { innerHTML: string }>
      return {
        getElementById: (id: string) => read[id] && { ...read[id], childNodes: [read[id].innerHTML] },
      }
    }
  }
  const addEventListener = (event: string, listen: (event: { persisted: boolean }) => unknown): unknown =>
    listeners.set(event, listen)
  const globals = {
    document: { ...browser.document, addEventListener },
    location: { href: "https://store.example/page?lang=ar" },
    setInterval: (tick: () => unknown, every: number) => Object.assign(browser, { tick, every }),
    ...{ fetch, DOMParser, addEventListener },
  }
  browser.document = globals.document
  runInContext(SCRIPT, createContext(globals))
  return browser
}

const settled = async (): Promise<void> => {
  await new Promise((resolve) => setImmediate(resolve))
}

it("reads a page on which a payment may be arriving every five seconds, until the payment has arrived", async () => {
  const page = pageOf("To pay", true, "Pay")
  const browser = open(page, [
    pageOf("To pay", true, "Pay"),
    pageOf("Confirming", true),
    pageOf("Paid", false),
  ])
  expect(browser.every).toBe(5000)
  await browser.pass()
  expect([page.state.innerHTML, page.action.innerHTML]).toEqual(["To pay", "Pay"])
  await browser.pass()
  expect([page.state.innerHTML, page.action.innerHTML]).toEqual(["Confirming", ""])
  await browser.pass()
  expect(page.state.innerHTML).toBe("Paid")
  await browser.pass()
  expect(browser.reads).toBe(3)
})

it("reads a page without a link only when the payer comes back to it", async () => {
  const page = pageOf("To pay", false, "Pay")
  const browser = open(page, [pageOf("Confirming", true)])
  await browser.pass()
  await browser.come("pageshow", false)
  expect(browser.reads).toBe(0)
  await browser.come("pageshow", true)
  expect([browser.reads, page.state.innerHTML]).toEqual([1, "Confirming"])
  await browser.come("visibilitychange")
  await browser.pass()
  expect(browser.reads).toBe(3)
})

it("reads nothing while it is hidden", async () => {
  const browser = open(pageOf("Confirming", true), [pageOf("Paid", false)])
  browser.document.hidden = true
  await browser.pass()
  await browser.come("visibilitychange")
  expect(browser.reads).toBe(0)
})

it("keeps what it shows when a read fails or is of no page, and reads again", async () => {
  const page = pageOf("Confirming", true)
  const nothing = {} as FakePage
  const browser = open(page, [new Error("offline"), nothing, pageOf("Paid", false)])
  await browser.pass()
  await browser.pass()
  expect(page.state.innerHTML).toBe("Confirming")
  await browser.pass()
  expect(page.state.innerHTML).toBe("Paid")
})

it("ends after ten minutes", async () => {
  const browser = open(pageOf("Confirming", true), [pageOf("Confirming", true)])
  for (let n = 0; n < 200; n++) {
    await browser.pass()
  }
  expect(browser.reads).toBe(120)
})
