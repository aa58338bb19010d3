import { Refused } from "./http"

/** Reads a control body field by field, so that a misspelt field or a wrong type is refused, not ignored. */
export class Fields {
  private readonly seen = new Set<string>()

  constructor(private readonly body: Record<string, unknown>) {}

  string(name: string): string | undefined {
    return this.read(name, "a string", (value) => typeof value === "string") as string | undefined
  }

  boolean(name: string): boolean | undefined {
    return this.read(name, "true or false", (value) => typeof value === "boolean") as boolean | undefined
  }

  /** A whole number, zero or more. */
  count(name: string): number | undefined {
    const fits = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0
    return this.read(name, "a whole number, 0 or more", fits) as number | undefined
  }

  stringOrNumber(name: string): string | undefined {
    const value = this.read(name, "a string or number", (each) => ["string", "number"].includes(typeof each))
    return typeof value === "number" ? value.toString() : (value as string | undefined)
  }

  object(name: string): Record<string, unknown> | undefined {
    const fits = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value)
    return this.read(name, "an object", fits) as Record<string, unknown> | undefined
  }

  strings(name: string): string[] | undefined {
    const fits = (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === "string")
    return this.read(name, "a list of strings", fits) as string[] | undefined
  }

  /** Any JSON value, null too. */
  anything(name: string): unknown {
    return this.read(name, "a JSON value", () => true)
  }

  oneOf<T extends string>(name: string, words: readonly T[]): T | undefined {
    const fits = (value: unknown) => words.includes(value as T)
    return this.read(name, `one of ${words.join(", ")}`, fits) as T | undefined
  }

  required<T>(name: string, value: T | undefined): T {
    if (value === undefined) {
      throw new Refused(400, `${name} is required`)
    }
    return value
  }

  /** Call after the last read: refuses unknown fields. */
  end(): void {
    const unknown = Object.keys(this.body).filter((name) => !this.seen.has(name))
    if (unknown.length > 0) {
      throw new Refused(
        400,
        `unknown field ${unknown.join(", ")}; known: ${[...this.seen].join(", ") || "none"}`
      )
    }
  }

  private read(name: string, what: string, fits: (value: unknown) => boolean): unknown {
    this.seen.add(name)
    const value = this.body[name]
    if (value === undefined) {
      return undefined
    }
    if (!fits(value)) {
      throw new Refused(400, `${name} must be ${what}`)
    }
    return value
  }
}
