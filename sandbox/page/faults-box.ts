import { ENDPOINTS, FAULT_KINDS, defaultApplied, type FaultKind } from "../fault"
import { Refused } from "../http"
import type { SandboxState } from "../state"
import { markup, Markup } from "./markup"
import { fill, plural, type Language, type Words } from "./words"

/** The faults that developers need most often; the control API has all others. */
const OFFERED: readonly FaultKind[] = ["status", "timeout", "reset", "html", "false_flag", "slow"]

const OFFERED_STATUS = 503

/** Which faults are active, and buttons to begin and to end them. */
export function faultsBox(state: SandboxState, words: Words, language: Language): Markup {
  const faults = state.faults.toJson()
  return markup`<section class="card" aria-labelledby="faults"><div><h2 id="faults">${words.faults} <span class="status ${faults.length > 0 && "BAD"}">${plural(language, faults.length, words.activeFaults)}</span></h2>
<p class="fine">${words.faultsText}</p>
${faults.length > 0 && activeFaults(faults, words)}
<form class="fault" method="post" action="/?lang=${language}">
<label>${words.endpoint} <select name="endpoint"><option value="any">${words.endpoints.any}</option>${ENDPOINTS.map(
    (each) => markup`<option value="${each}">${words.endpoints[each]}</option>`
  )}</select></label>
<label>${words.fault} <select name="kind">${OFFERED.map(
    (kind) =>
      markup`<option value="${kind}">${words.faultKinds[kind] ?? kind}${kind === "status" && ` ${String(OFFERED_STATUS)}`}</option>`
  )}</select></label>
<button class="button main" name="action" value="add_fault">${words.addFault}</button>
${faults.length > 0 && markup`<button class="button quiet" name="action" value="clear_faults">${words.clearFaults}</button>`}
</form></div></section>`
}

const activeFaults = (faults: ReturnType<SandboxState["faults"]["toJson"]>, words: Words): Markup =>
  markup`<ul class="faults">${faults.map(
    ({ endpoint, kind, status, times_left, payment_request_id }) =>
      markup`<li><b>${words.faultKinds[kind] ?? kind}</b>${status !== undefined && markup` <bdi dir="ltr">${status}</bdi>`} · ${words.endpoints[endpoint]} · ${
        typeof times_left === "number"
          ? fill(words.timesLeft, { times: String(times_left) })
          : words.untilCleared
      }${payment_request_id !== null && markup` · <code dir="ltr">${payment_request_id}</code>`}</li>`
  )}</ul>`

export function pressFaultButton(state: SandboxState, body: URLSearchParams): void {
  switch (body.get("action")) {
    case "clear_faults":
      state.faults.clear()
      return
    case "add_fault":
      addFault(state, body.get("endpoint") ?? "", body.get("kind") ?? "")
      return
    default:
      throw new Refused(400, "no such button")
  }
}

function addFault(state: SandboxState, endpointName: string, kindName: string): void {
  const endpoint = ([...ENDPOINTS, "any"] as const).find((each) => each === endpointName)
  const kind = FAULT_KINDS.find((each) => each === kindName)
  if (endpoint === undefined || kind === undefined) {
    throw new Refused(400, "no such fault")
  }
  state.faults.add({
    endpoint,
    kind,
    applied: defaultApplied(kind),
    timesLeft: Infinity,
    status: kind === "status" ? OFFERED_STATUS : undefined,
  })
}
