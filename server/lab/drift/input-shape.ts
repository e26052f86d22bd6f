import { isObject } from '../../core/is-object.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { own } from '../../core/own.ts'
import { listOf, type OpenApiDocument, type Operation, type Schema } from './openapi-document.ts'

/** Rules of a parameter, or of a member of a body. Absent = no rule. */
export interface InputRules {
  isRequired: boolean
  types: ReadonlySet<string>
  /** Values that are allowed; undefined = any. */
  values?: ReadonlySet<string>
  least?: number
  most?: number
  leastLength?: number
  mostLength?: number
  leastItems?: number
  mostItems?: number
  pattern?: string
  default?: unknown
}

/** Rules by their place: `?limit`, `body.name`, `body.users[].role`. */
export type InputShape = ReadonlyMap<string, InputRules>

/** Parts of a body may refer to themselves. */
const deepest = 8

/** Reads the query and the JSON body of an operation. Headers and the path are left out: they are the same by design. */
export function inputShape(operation: Operation, { resolve }: OpenApiDocument): InputShape {
  const shape = new Map<string, InputRules>()
  for (const { in: where, name, required, schema } of operation.parameters) {
    if (where === 'query') addMember(shape, `?${name}`, { schema, required }, resolve)
  }
  if (operation.body !== undefined) {
    const { body: schema, bodyIsRequired } = operation
    // Documents often forget to say that a body with required members is required.
    const hasRequired = formsOf(schema, resolve).every(
      (form) => listOf(form['required']).length > 0,
    )
    addMember(shape, 'body', { schema, required: bodyIsRequired || hasRequired }, resolve)
  }
  return shape
}

function addMember(
  shape: Map<string, InputRules>,
  place: string,
  { schema, required }: { schema: unknown; required: boolean },
  resolve: OpenApiDocument['resolve'],
  depth = 0,
): void {
  if (depth > deepest) return
  const forms = formsOf(schema, resolve)
  const known = shape.get(place)
  const rules = forms.map(rulesOf).reduce(either, undefined)
  const isRequired = required && known?.isRequired !== false
  const here = { ...(rules ?? { types: new Set<string>() }), isRequired }
  shape.set(place, known === undefined ? here : { ...either(known, here), isRequired })
  const inAll = (name: string) =>
    forms.filter(hasMembers).every((form) => listOf(form['required']).includes(name))
  for (const form of forms) {
    const { properties, items } = form
    for (const [name, member] of Object.entries(isObject(properties) ? properties : {})) {
      addMember(
        shape,
        `${place}.${name}`,
        { schema: member, required: inAll(name) },
        resolve,
        depth + 1,
      )
    }
    if (isObject(items)) {
      addMember(shape, `${place}[]`, { schema: items, required: false }, resolve, depth + 1)
    }
  }
}

const hasMembers = ({ properties }: Schema) => isObject(properties)

/** Returns the forms that a value may have: those of `anyOf` and `oneOf` apart, those of `allOf` in one. */
export function formsOf(schema: unknown, resolve: OpenApiDocument['resolve']): readonly Schema[] {
  const { allOf, anyOf, oneOf, ...rest } = resolve(schema)
  const alternatives = [...listOf(anyOf), ...listOf(oneOf)]
  let forms: readonly Schema[] =
    alternatives.length === 0
      ? [rest]
      : alternatives.flatMap((one) => formsOf(one, resolve).map((form) => merge(rest, form)))
  for (const part of listOf(allOf)) {
    const further = formsOf(part, resolve)
    forms = forms.flatMap((form) => further.map((other) => merge(form, other)))
  }
  return forms
}

/** Merges two schemas that both hold. */
function merge(one: Schema, other: Schema): Schema {
  const merged = { ...one, ...other }
  const properties = [one['properties'], other['properties']].filter(isObject)
  const required = [...listOf(one['required']), ...listOf(other['required'])]
  return {
    ...merged,
    ...(properties.length > 0 && { properties: Object.assign({}, ...properties) as Schema }),
    ...(required.length > 0 && { required }),
  }
}

function rulesOf(schema: Schema): InputRules {
  const values = valuesOf(schema)
  const fixed = fixedLength(schema['pattern'])
  const number = (name: string) => boundOf(own(schema, name))
  const exclusive = number('exclusiveMinimum')
  return omitUndefined({
    isRequired: false,
    types: new Set(typesOf(schema)),
    values,
    least: number('minimum') ?? (exclusive === undefined ? undefined : exclusive + 1),
    most: number('maximum'),
    leastLength: number('minLength') ?? fixed,
    mostLength: number('maxLength') ?? fixed,
    leastItems: number('minItems'),
    mostItems: number('maxItems'),
    pattern: typeof schema['pattern'] === 'string' ? schema['pattern'] : undefined,
    default: schema['default'],
  })
}

/** Validators name the bounds of their number type, too: these are no rules. */
function boundOf(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined
}

/** `^[0-9a-f]{24}$` has a length. */
function fixedLength(pattern: unknown): number | undefined {
  const [, length] = /^\^(?:\[[^\]]*\])\{(\d+)\}\$$/.exec(String(pattern)) ?? []
  return length === undefined ? undefined : Number(length)
}

/** Returns the only values that a schema allows, as JSON; undefined if their number has no end. */
export function valuesOf(schema: Schema): ReadonlySet<string> | undefined {
  const { enum: list, const: constant, type } = schema
  if (constant !== undefined) return new Set([JSON.stringify(constant)])
  if (Array.isArray(list)) return new Set(list.map((value) => JSON.stringify(value)))
  if (type === 'boolean') return new Set(['true', 'false'])
  return type === 'null' ? new Set(['null']) : undefined
}

/** Returns the types of JSON that a schema allows; none = any. */
export function typesOf(schema: Schema): readonly string[] {
  const { type, enum: list, const: constant, properties, items } = schema
  const named = [type].flat().filter((one) => typeof one === 'string')
  if (named.length > 0) return schema['nullable'] === true ? [...named, 'null'] : named
  if (constant !== undefined) return [typeOf(constant)]
  if (Array.isArray(list)) return [...new Set(list.map(typeOf))]
  if (isObject(properties)) return ['object']
  return isObject(items) ? ['array'] : []
}

/** Returns the type of a value in the words of JSON Schema, integers as numbers. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const bounds = [
  'least',
  'most',
  'leastLength',
  'mostLength',
  'leastItems',
  'mostItems',
] as const satisfies readonly (keyof InputRules)[]

/** Returns the rules of a value that may follow either. */
function either(one: InputRules | undefined, other: InputRules): InputRules {
  if (one === undefined) return other
  const takesAny = one.types.size === 0 || other.types.size === 0
  const areAlike = takesAny || [...one.types].some((type) => other.types.has(type))
  // A bound of numbers says nothing of texts: it holds for the forms that have it.
  const kept = <T>(first: T | undefined, second: T | undefined, wider: (a: T, b: T) => T) => {
    if (first === undefined || second === undefined) return areAlike ? undefined : (first ?? second)
    return wider(first, second)
  }
  const widest = bounds.map((key) => [
    key,
    kept(one[key], other[key], key.startsWith('least') ? Math.min : Math.max),
  ])
  return omitUndefined({
    ...(Object.fromEntries(widest) as Pick<InputRules, (typeof bounds)[number]>),
    isRequired: one.isRequired && other.isRequired,
    types: new Set(takesAny ? [] : [...one.types, ...other.types]),
    values:
      one.values === undefined || other.values === undefined
        ? undefined
        : new Set([...one.values, ...other.values]),
    pattern: kept(one.pattern, other.pattern, (a, b) => (a === b ? a : `${a}|${b}`)),
    default: one.default ?? other.default,
  })
}
