import { Skeleton } from "@medusajs/ui"
import { useWords } from "./words"

/** Grey lines in the place of what is being loaded. */
export function LoadingRows({ count = 4 }: { count?: number }) {
  const t = useWords()
  return (
    <div role="status" aria-label={t("common.loading")} className="flex flex-col gap-y-4 px-6 py-4">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} className="h-5 w-full" />
      ))}
    </div>
  )
}
