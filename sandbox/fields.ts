import { isObject, Refused } from "./http"

/** Reads a control body field by field, so that a misspelt field or a wrong type is refused, not ignored. */
export class Fields {
  private readonly seen = new Set<string>()

  constructor(private readonly body: Record<string, unknown>) {}

  string = (name: string) => this.read(name, "a string", (value) => typeof value === "string")
  boolean = (name: string) => this.read(name, "true or false", (value) => typeof value === "boolean")
  object = (name: string) => this.read(name, "an object", isObject)
  strings = (name: string) => this.read(name, "a list of strings", isStrings)
  count = (name: string) => this.read(name, "a whole number, 0 or more", isCount)
  /** Any JSON value, null too. */
  anything = (name: string) => this.read(name, "a JSON value", (_value): _value is unknown => true)
  stringOrNumber = (name: string) =>
    this.read(
      name,
      "a string or number",
      (value) => typeof value === "string" || typeof value === "number"
    )?.toString()

  oneOf<T extends string>(name: string, words: readonly T[]): T | undefined {
    const fits = (value: unknown): value is T => words.some((word) => word === value)
    return this.read(name, `one of ${words.join(", ")}`, fits)
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

  private read<T>(name: string, what: string, fits: (value: unknown) => value is T): T | undefined {
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

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string")

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0
