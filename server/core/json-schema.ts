/** The part of JSON Schema that the schemas of the sandbox use. */
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
  /** A schema stands for true: what may be added is checked where it is used. */
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
  /** It is told nowhere again, not even where it is refused. */
  writeOnly?: boolean
  'x-derived'?: string
  /** Of a duration: the longest, in milliseconds. */
  'x-longest-ms'?: number
  /** Of a duration: the shortest, in milliseconds. */
  'x-shortest-ms'?: number
}
