import { createHash } from "node:crypto"
import { markup, Markup } from "./markup"
import type { Words } from "./words"

/** The pages' only script. Every button but these works without it. */
const SCRIPT = `navigator.clipboard&&document.querySelectorAll("[data-copy]").forEach(b=>{b.hidden=false});document.addEventListener("click",e=>{const b=e.target.closest("[data-copy]");b&&navigator.clipboard.writeText(b.dataset.copy).then(()=>{const t=b.textContent;b.textContent=b.dataset.done;setTimeout(()=>{b.textContent=t},1500)},()=>{})})`

export const COPY_SCRIPT = new Markup(`<script>${SCRIPT}</script>`)

/** Allows this script and no other. */
export const COPY_SCRIPT_SOURCE = `'sha256-${createHash("sha256").update(SCRIPT).digest("base64")}'`

/**
 * Hidden without the script, and where browsers give pages no clipboard: on http addresses other than localhost.
 *
 * @param name what is copied, for screen readers
 */
export const copyButton = (value: string, name: string, words: Words): Markup =>
  markup`<button type="button" class="copy" hidden data-copy="${value}" data-done="${words.copied}" aria-label="${words.copy}: ${name}">${words.copy}</button>`
