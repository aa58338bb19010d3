import type { IncomingMessage, ServerResponse } from "node:http"
import { sendJson } from "../http"
import type { SandboxState } from "../state"

export function answerPage(
  _state: SandboxState,
  _request: IncomingMessage,
  response: ServerResponse,
  _url: URL
): Promise<void> {
  sendJson(response, 404, { message: "Not found" })
  return Promise.resolve()
}
