import type { Locator, Page } from "playwright-core"
import { expectOk } from "../../support/shopper"
import { untilTrue } from "../../support/wait-until"
import type { Admin } from "./admin"
import { setting, type StoreFromOutside } from "./store"

export const SETTINGS_PAGE = "/settings/crypto-payments"
const PATH = "/crypto-payments/settings/pp_crypto_default"

/** The provider's settings from the other side, to bring about what a test takes as given and to put back what it changed. */
export class Settings {
  constructor(private readonly store: StoreFromOutside) {}

  async read(): Promise<Record<string, unknown> & { version: number }> {
    const { data } = await this.store.asAdmin.get(PATH)
    return data.settings
  }

  async save(input: Record<string, unknown>): Promise<void> {
    const { version } = await this.read()
    const body = { version, confirm_origin_change: true, ...input }
    expectOk(PATH, await this.store.asAdmin.post(PATH, body))
  }

  /** As if nobody had ever saved any; the running store notices within two seconds. */
  async forget(): Promise<void> {
    await this.store.knex("crypto_payment_settings").delete()
    await untilTrue(async () => (await this.read()).version === 0)
  }

  /** As the set-up of the browser tests left them. */
  async restore(): Promise<void> {
    const { baseUrl, secretKey, token } = setting.gateway
    await this.save({
      base_url: baseUrl,
      secret_key: secretKey,
      auth: { type: "bearer", token },
      timeout_ms: null,
      order_placement: null,
      unpaid_order_ttl_minutes: null,
      remind_after_minutes: null,
      payment_link_hosts: null,
      reuse_open_links: null,
      show_items: null,
    })
  }

  /** The row itself, sealed secrets and all. */
  async stored(): Promise<string> {
    const rows = await this.store.knex<Record<string, unknown>>("crypto_payment_settings").select()
    return JSON.stringify(rows)
  }
}

type Section = "connection" | "checkout"

/** The drawer of one section, on a page that shows the settings. */
export async function openFormOn(page: Page, section: Section): Promise<Locator> {
  // The checklist above may have the same button.
  await page
    .getByRole("button", { name: `Edit ${section}` })
    .last()
    .click()
  await page.getByRole("dialog").waitFor()
  return page.getByRole("dialog")
}

export async function openForm(admin: Admin, section: Section): Promise<{ page: Page; form: Locator }> {
  const page = await admin.visit(SETTINGS_PAGE)
  return { page, form: await openFormOn(page, section) }
}

export async function saveForm(page: Page): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
}
