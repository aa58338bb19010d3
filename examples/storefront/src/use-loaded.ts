import { useCallback, useEffect, useState } from "react"

export type Loaded<T> = { state: "loading" | "failed"; value?: undefined } | { state: "loaded"; value: T }

/** Loads something, and again when a key changes. The shopper can try again after an error. */
export function useLoaded<T>(
  load: () => Promise<T>,
  ...keys: (string | undefined)[]
): [Loaded<T>, { retry: () => void; replace: (value: T) => void }] {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: "loading" })
  const [attempt, setAttempt] = useState(0)
  const key = keys.join()
  useEffect(() => {
    let isCurrent = true
    load().then(
      (value) => {
        if (isCurrent) {
          setLoaded({ state: "loaded", value })
        }
      },
      () => {
        if (isCurrent) {
          setLoaded({ state: "failed" })
        }
      }
    )
    return () => {
      isCurrent = false
    }
  }, [key, attempt])
  const retry = useCallback(() => {
    setLoaded({ state: "loading" })
    setAttempt((before) => before + 1)
  }, [])
  const replace = useCallback((value: T) => {
    setLoaded({ state: "loaded", value })
  }, [])
  return [loaded, { retry, replace }]
}
