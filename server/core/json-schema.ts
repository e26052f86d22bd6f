/** Part of JSON Schema that the schemas of the sandbox use. */
export interface JsonSchema {
  type?: string
  title?: string
  description?: string
  default?: unknown
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly JsonSchema[]
  properties?: Record<string, JsonSchema>
  patternProperties?: Record<string, JsonSchema>
  /** A schema means true: further properties are checked by their users. */
  additionalProperties?: boolean | JsonSchema
  minProperties?: number
  maxProperties?: number
  required?: readonly string[]
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  /** The value is never repeated, not even in an error. */
  writeOnly?: boolean
  'x-derived'?: string
  /** Longest duration, in milliseconds. */
  'x-longest-ms'?: number
  /** Shortest duration, in milliseconds. */
  'x-shortest-ms'?: number
}
