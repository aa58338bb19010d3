/** HTML that is already safe. Made only by `markup`, so a value cannot reach a page without being escaped. */
export class Markup {
  constructor(readonly text: string) {}
}

type Piece = string | number | Markup | readonly Markup[] | null | undefined | false

/** Tagged template: the template is HTML, every interpolated value is escaped unless it is Markup itself. */
export const markup = (strings: TemplateStringsArray, ...pieces: Piece[]): Markup =>
  new Markup(strings.reduce((text, part, index) => text + toText(pieces[index - 1]) + part))

function toText(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) {
    return ""
  }
  if (piece instanceof Markup) {
    return piece.text
  }
  return typeof piece === "object" ? piece.map((each) => each.text).join("") : escapeHtml(String(piece))
}

const escapeHtml = (text: string): string =>
  text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&#39;")
