/** The part of JSON Schema that the fixtures schema uses. */
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
  required?: readonly string[]
  items?: JsonSchema
  'x-derived'?: string
}
