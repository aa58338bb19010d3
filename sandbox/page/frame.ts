import { COPY_SCRIPT, COPY_SCRIPT_SOURCE } from "./copy"
import { Markup, markup } from "./markup"
import { STYLE } from "./style"
import type { Language } from "./words"

interface Frame {
  language: Language
  title: string
  bar: Markup
  body: Markup
}

const ICON = encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#0b6e62"/>` +
    `<path d="M16 7 25 16 16 25 7 16Z" fill="none" stroke="#fff" stroke-width="3"/></svg>`
)

/** The whole document. It loads nothing. */
export const pageFrame = ({ language, title, bar, body }: Frame): string =>
  markup`<!doctype html>
<html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><meta name="robots" content="noindex">
<link rel="icon" href="data:image/svg+xml,${ICON}">
<style>${new Markup(STYLE)}</style></head>
<body><header class="bar">${bar}</header>
${body}
${COPY_SCRIPT}
</body></html>
`.text

// No form-action here: browsers would apply it to the redirect back to the shop too.
export const PAGE_HEADERS = {
  "content-security-policy":
    `default-src 'none'; style-src 'unsafe-inline'; script-src ${COPY_SCRIPT_SOURCE}; img-src data:; base-uri 'none'; ` +
    "frame-ancestors 'none'",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
}
