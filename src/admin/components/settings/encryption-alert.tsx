import { Alert } from "@medusajs/ui"
import { useWords } from "../../hooks/words"
import type { EncryptionKeyState } from "../../lib/settings-contract"

/** Says plainly that secrets cannot be kept, and why. */
export function EncryptionAlert({ encryptionKey }: { encryptionKey: EncryptionKeyState }) {
  const t = useWords()
  return encryptionKey.state === "present" ? null : (
    <Alert variant="warning">{t(`settings.encryption.${encryptionKey.state}`)}</Alert>
  )
}
