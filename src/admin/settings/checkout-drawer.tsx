import { Select, Switch } from "@medusajs/ui"
import { useState } from "react"
import { useSettingsSave } from "./settings-save"
import { useDirection, useWords } from "../shared/words"
import { checkoutForm, type CheckoutForm, checkoutInput } from "./checkout-form"
import type { CryptoSettings, OrderPlacement } from "../../http-contract"
import { FormDrawer, FormField } from "../shared/form"
import { SettingsFormProvider, useSettingsForm } from "./form-context"
import { TextField } from "./text-field"

/** Return addresses, order placement and payment links. */
export function CheckoutDrawer({ settings, onClose }: { settings: CryptoSettings; onClose: () => void }) {
  const t = useWords()
  const [form, setForm] = useState(() => checkoutForm(settings))
  const { save, withNumbers, errors, isPending } = useSettingsSave(settings, onClose)
  const change = (part: Partial<CheckoutForm>) => setForm((before) => ({ ...before, ...part }))
  const { fields } = settings
  // The field is there with orders placed first only.
  const numbers: Record<string, string> =
    form.orderPlacement === "before_payment" ? { unpaid_order_ttl_minutes: form.unpaidOrderTtlMinutes } : {}
  return (
    <FormDrawer
      onClose={onClose}
      title={t("settings.checkout.editTitle")}
      submitLabel={t("common.save")}
      isSubmitting={isPending}
      onSubmit={() => withNumbers(numbers, () => save(checkoutInput(form, settings)))}
    >
      <SettingsFormProvider value={{ settings, errors }}>
        <TextField
          name="success_url"
          value={form.successUrl}
          locked={fields.success_url.locked}
          hint={t("settings.fields.return_url_hint")}
          onChange={(successUrl) => change({ successUrl })}
        />
        <TextField
          name="failed_url"
          value={form.failedUrl}
          locked={fields.failed_url.locked}
          hint={t("settings.fields.return_url_hint")}
          onChange={(failedUrl) => change({ failedUrl })}
        />
        <PlacementField form={form} onChange={change} />
        {form.orderPlacement === "before_payment" && (
          <TextField
            name="unpaid_order_ttl_minutes"
            numeric
            value={form.unpaidOrderTtlMinutes}
            locked={fields.unpaid_order_ttl_minutes.locked}
            hint={t("settings.fields.unpaid_order_ttl_minutes_hint")}
            onChange={(unpaidOrderTtlMinutes) => change({ unpaidOrderTtlMinutes })}
          />
        )}
        <TextField
          name="payment_link_hosts"
          value={form.paymentLinkHosts}
          locked={fields.payment_link_hosts.locked}
          hint={t("settings.fields.payment_link_hosts_hint")}
          onChange={(paymentLinkHosts) => change({ paymentLinkHosts })}
        />
        <ReuseField form={form} onChange={change} />
      </SettingsFormProvider>
    </FormDrawer>
  )
}

interface FieldProps {
  form: CheckoutForm
  onChange: (part: Partial<CheckoutForm>) => void
}

function PlacementField({ form, onChange }: FieldProps) {
  const direction = useDirection()
  const t = useWords()
  const { settings, errors } = useSettingsForm()
  const { locked } = settings.fields.order_placement
  const shopHint =
    form.orderPlacement === "before_payment" ? t("settings.placement.before_payment_hint") : undefined
  return (
    <FormField
      label={t("settings.fields.order_placement")}
      hint={locked ? t("settings.lockedHint") : shopHint}
      error={errors["order_placement"]}
    >
      {({ id, ...aria }) => (
        <Select
          dir={direction}
          value={form.orderPlacement}
          disabled={locked}
          onValueChange={(value) => onChange({ orderPlacement: value as OrderPlacement })}
        >
          <Select.Trigger id={id} {...aria}>
            <Select.Value />
          </Select.Trigger>
          <Select.Content>
            {["after_payment", "before_payment"].map((value) => (
              <Select.Item key={value} value={value}>
                {t(`settings.placement.${value}`)}
              </Select.Item>
            ))}
          </Select.Content>
        </Select>
      )}
    </FormField>
  )
}

function ReuseField({ form, onChange }: FieldProps) {
  const t = useWords()
  const { settings, errors } = useSettingsForm()
  const { locked } = settings.fields.reuse_open_links
  return (
    <FormField
      label={t("settings.fields.reuse_open_links")}
      hint={locked ? t("settings.lockedHint") : undefined}
      error={errors["reuse_open_links"]}
    >
      {({ id, ...aria }) => (
        <Switch
          id={id}
          {...aria}
          disabled={locked}
          checked={form.reuseOpenLinks}
          onCheckedChange={(reuseOpenLinks) => onChange({ reuseOpenLinks })}
        />
      )}
    </FormField>
  )
}
