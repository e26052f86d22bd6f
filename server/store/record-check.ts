import type { TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'

/** @returns the problem of a record; undefined if valid */
export type RecordCheck = (collection: string, record: unknown) => string | undefined

/** Compiled schemas, once for all sandboxes of the process: it takes as long as the rest of a small start. */
const validators = new WeakMap<TSchema, Validator>()

/**
 * Checks records against the schemas of their collections. The compiler of typebox is loaded here, so that a start with
 * nothing to read does not load it; each schema is compiled for its first record.
 * @param collections collections by name
 */
export async function createRecordCheck(
  collections: ReadonlyMap<string, { schema: TSchema }>,
): Promise<RecordCheck> {
  const { Compile } = await import('typebox/compile')

  function validatorOf(name: string) {
    const schema = collections.get(name)?.schema
    if (!schema) throw new TypeError(`there is no collection "${name}"`)
    const validator = validators.get(schema) ?? Compile(schema)
    validators.set(schema, validator)
    return validator
  }

  return (name, record) => {
    const id = idOf(record)
    if (id === undefined) return `a record of ${name} has no id`
    const validator = validatorOf(name)
    if (validator.Check(record)) return undefined
    // An unknown property is reported twice; the report on its value ("schema is false") is less helpful.
    const issue = validator.Errors(record).find(({ keyword }) => keyword !== 'boolean')
    const path = issue?.instancePath ? `${issue.instancePath} ` : ''
    return `${name} "${id}": ${path}${issue?.message ?? 'does not match its schema'}`
  }
}

function idOf(record: unknown): string | undefined {
  const id = typeof record === 'object' && record !== null && 'id' in record ? record.id : undefined
  return typeof id === 'string' ? id : undefined
}
