import { Select } from "@medusajs/ui"
import { useDirection } from "./direction"
import { useWords } from "./words"
import { providerName } from "./provider-name"

interface ProviderSelectProps {
  providerIds: string[]
  value: string
  onChange: (providerId: string) => void
}

/** Which provider a page is about; nothing to choose while there is one. */
export function ProviderSelect({ providerIds, value, onChange }: ProviderSelectProps) {
  const direction = useDirection()
  const t = useWords()
  if (providerIds.length < 2) {
    return null
  }
  return (
    <Select dir={direction} size="small" value={value} onValueChange={onChange}>
      <Select.Trigger aria-label={t("common.provider")} className="min-w-36">
        <Select.Value />
      </Select.Trigger>
      <Select.Content>
        {providerIds.map((id) => (
          <Select.Item key={id} value={id}>
            {providerName(id)}
          </Select.Item>
        ))}
      </Select.Content>
    </Select>
  )
}
