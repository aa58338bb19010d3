import type { ReactElement } from "react"
import type { CryptoPaymentTexts } from "./texts"

/** The language and look of a component. */
export interface LookProps {
  /** "en" or "ar", also as "ar-AE". */
  language?: string | undefined
  /** Replaces single texts. */
  texts?: Partial<CryptoPaymentTexts> | undefined
  /** Added to the class of the component's element. */
  className?: string | undefined
  /** Without the default look: the shop's own stylesheet applies. */
  unstyled?: boolean | undefined
  /** For a content security policy without inline styles. */
  nonce?: string | undefined
}

/**
 * The default look, as a stylesheet. It uses the page's font and colours; `--crypto-pay-accent` and
 * `--crypto-pay-on-accent` colour the buttons. If the shop allows no inline styles, put it into a file and use
 * `unstyled`.
 */
export const cryptoPaymentStyles = `
.crypto-pay-button{display:inline-flex;place-items:center;place-content:center;gap:.6em;min-height:44px;padding:.6em 1.4em;border:0;border-radius:8px;font:inherit;font-weight:600;text-decoration:none;cursor:pointer;background:var(--crypto-pay-accent,#1f2a44);color:var(--crypto-pay-on-accent,#fff)}
.crypto-pay-button[aria-disabled=true]{opacity:.65;cursor:default}
.crypto-pay-wide{width:100%}
.crypto-pay-notice{margin:.75em 0 0;overflow-wrap:anywhere}
.crypto-pay-notice a{text-decoration:underline}
.crypto-pay-error{display:flex;gap:.6em;margin:.75em 0 0;padding:.75em 1em;border-inline-start:4px solid;border-radius:4px;color:var(--crypto-pay-error,#a4262c);background:color-mix(in srgb,currentColor 8%,transparent)}
.crypto-pay-error:empty{margin:0;padding:0;border:0}
.crypto-pay-deadline b{font-variant-numeric:tabular-nums}
.crypto-pay-panel{display:grid;justify-items:center;gap:1em;box-sizing:border-box;width:100%;max-width:34em;margin:0 auto;padding:2em 1em;text-align:center;line-height:1.6}
.crypto-pay-deadline,.crypto-pay-panel :is(h2,p){margin:0;outline:0}
.crypto-pay-panel h2{font-size:1.5em;font-weight:700}
.crypto-pay-spin{width:1em;height:1em}
.crypto-pay-mark{display:grid;place-items:center;width:3em;height:3em}
.crypto-pay-mark,.crypto-pay-spin{border-radius:50%;border:2px solid}
.crypto-pay-mark svg{width:50%}
.crypto-pay-mark[data-view=paid]{color:#23915f}
.crypto-pay-spin{border-inline-start-color:transparent;animation:crypto-pay-spin 1s linear infinite}
@keyframes crypto-pay-spin{to{rotate:1turn}}
@media (prefers-reduced-motion:reduce){.crypto-pay-spin{animation-duration:6s}}`

/** The look, unless the shop has its own. */
export function Look(props: Pick<LookProps, "unstyled" | "nonce">): ReactElement | null {
  return props.unstyled ? null : (
    <style nonce={props.nonce} dangerouslySetInnerHTML={{ __html: cryptoPaymentStyles }} />
  )
}

/** Our class and the shop's own. */
export function classes(ours: string, own = ""): string {
  return `${ours} ${own}`.trim()
}
