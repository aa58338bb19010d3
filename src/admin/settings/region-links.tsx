import { Fragment } from "react"
import { useWords } from "../shared/words"
import type { RegionHealth } from "../../http-contract"
import { TextLink } from "../shared/values"

interface RegionLinksProps {
  offers: RegionHealth[]
  could: RegionHealth[]
  cannot: RegionHealth[]
}

/** Where shoppers can pay with crypto, where they could, and where they cannot. */
export function RegionLinks({ offers, could, cannot }: RegionLinksProps) {
  const t = useWords()
  const names = (regions: RegionHealth[]) => regions.map(({ name }) => name).join(t("common.comma"))
  return (
    <span className="flex flex-col gap-y-1">
      <span>
        {offers.length === 0
          ? t("settings.checklist.regionsTodo")
          : t("settings.checklist.regionsOffer", { regions: names(offers) })}
      </span>
      {could.length > 0 && (
        <span>
          {t("settings.checklist.regionsAdd")}{" "}
          {could.map(({ id, name }, index) => (
            <Fragment key={id}>
              {index > 0 && t("common.comma")}
              <TextLink to={`/settings/regions/${id}/edit`}>{name}</TextLink>
            </Fragment>
          ))}
        </span>
      )}
      {cannot.length > 0 && <span>{t("settings.checklist.regionsCannot", { regions: names(cannot) })}</span>}
    </span>
  )
}
