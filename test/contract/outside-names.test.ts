import { beforeAll, expect, test, vi } from 'vitest'
import { encodeText } from '../../server/core/encode-text.ts'
import { sharedSandbox } from '../helpers/sandbox.ts'

/** Names that every plain object seems to have: of what makes it, of a function, and of what it may not be given. */
const names = ['constructor', 'toString', '__proto__']

/** JSON can name an unpaired surrogate, and what writes addresses throws at it. */
const halfCharacter = 'half\ud800'

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  minimum?: number
}
interface Operation {
  parameters?: { name: string; in: string; schema?: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** A value of the shape, with the name wherever a text may stand. */
function sample(schema: Schema, name: string): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const [first] = schema.anyOf ?? []
  if (first !== undefined) return sample(first, name)
  switch (schema.type) {
    case 'string':
      return name
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return false
    case 'array':
      return [sample(schema.items ?? {}, name)]
    case 'object': {
      const members = Object.entries(schema.properties ?? {}).map(([key, member]) => [
        key,
        sample(member, name),
      ])
      const [entry] = Object.values(schema.patternProperties ?? {})
      if (entry !== undefined) members.push([name, sample(entry, name)])
      return Object.fromEntries(members)
    }
    default:
      return name
  }
}

// They wait for somebody else, by design, or end the sandbox.
const isLeftOut = (path: string) => /\/(live|barriers|idle|stop)(\/|$)/.test(path)

const sandbox = sharedSandbox({}, { keepsState: true })
let paths: Record<string, Record<string, Operation>>
beforeAll(async () => {
  const answer = await fetch(`${sandbox.url}/_sandbox/openapi.json`)
  ;({ paths } = (await answer.json()) as { paths: typeof paths })
})

interface Call {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string
}

async function call({ method, path, headers, body }: Call): Promise<number> {
  const { status, body: answer } = await fetch(sandbox.url + path, {
    method,
    redirect: 'manual',
    headers: { authorization: 'Bearer hf_sandbox_alice', ...headers },
    ...(body !== undefined && { body }),
  })
  await answer?.cancel()
  return status
}

/** The operation with the name in its path, its query and its body, each alone and all together. */
function* callsOf(
  method: string,
  path: string,
  operation: Operation,
  name: string,
): Iterable<Call> {
  const known: Record<string, string> = { namespace: 'alice', name: 'first', type: 'models' }
  const placed = (fill: (parameter: string) => string) =>
    path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => encodeText(fill(parameter)))
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  const search = new URLSearchParams(query.map((parameter) => [parameter.name, name]))
  const places = [
    placed(() => name),
    placed((parameter) => (Object.hasOwn(known, parameter) ? (known[parameter] ?? '') : name)),
  ]
  for (const place of new Set(places)) {
    yield { method, path: place }
    if (query.length > 0) yield { method, path: `${place}?${search}` }
    for (const [type, { schema }] of Object.entries(operation.requestBody?.content ?? {})) {
      const headers = { 'content-type': type }
      const body = sample(schema, name)
      const isForm = type === 'application/x-www-form-urlencoded'
      const encode = (value: unknown) =>
        isForm
          ? String(new URLSearchParams(value as Record<string, string>))
          : JSON.stringify(value)
      yield { method, path: place, headers, body: encode(body) }
      yield { method, path: place, headers, body: encode({ [name]: name }) }
      for (const key of Object.keys(schema.properties ?? {})) {
        yield { method, path: place, headers, body: encode({ [key]: name }) }
      }
    }
  }
}

// Thousands of requests.
const patience = { timeout: 120_000 }

test.each([...names, halfCharacter])('no route fails at the name %j', patience, async (name) => {
  vi.spyOn(process, 'emitWarning').mockReturnValue()
  const failed: string[] = []
  for (const [path, operations] of Object.entries(paths)) {
    if (isLeftOut(path)) continue
    for (const [method, operation] of Object.entries(operations)) {
      for (const request of callsOf(method.toUpperCase(), path, operation, name)) {
        const status = await call(request)
        const isPlain = status < 500 || status === 501
        if (!isPlain) failed.push(`${status} ${request.method} ${request.path} ${request.body}`)
      }
    }
  }
  expect(failed).toEqual([])
  expect(await call({ method: 'GET', path: '/_sandbox/health' })).toBe(200)
})

test.each(names)('no protocol endpoint fails at the name %s', async (name) => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = (members: object) => String(new URLSearchParams({ ...members, [name]: name }))
  const statuses = [
    await call({
      method: 'POST',
      path: '/oauth/token',
      headers: form,
      body: body({ grant_type: name }),
    }),
    await call({
      method: 'POST',
      path: '/oauth/device',
      headers: form,
      body: body({ client_id: name, scope: name }),
    }),
    await call({
      method: 'GET',
      path: `/oauth/authorize?client_id=${name}&scope=${name}&${name}=${name}`,
    }),
    await call({ method: 'GET', path: `/oauth/device?user_code=${name}` }),
    await call({
      method: 'GET',
      path: '/api/whoami-v2',
      headers: { [name]: name, cookie: `${name}=${name}` },
    }),
  ]
  expect(statuses.filter((status) => status >= 500)).toEqual([])
})
