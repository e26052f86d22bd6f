import * as fc from 'fast-check'
import { controlApi } from '../../../server/contract/control-api.ts'
import { hubApi } from '../../../server/contract/hub-api.ts'
import { type HubTable, pathsOf } from '../../../server/contract/hub-endpoint.ts'
import { siteApi } from '../../../server/contract/site-api.ts'
import { buildOpenApi, type DocumentedRoute } from '../../../server/lab/openapi/openapi.ts'
import {
  gather,
  type Harvest,
  isEndless,
  isFolded,
  messageOf,
} from '../../fuzz/requests/message.ts'
import {
  type OpenApiDocument,
  type Operation,
  operationsOf,
} from '../../fuzz/requests/operations.ts'
import type { Step as Request } from '../../fuzz/requests/steps.ts'
import { fitting } from '../../helpers/schema-values.ts'
import { apps, outsider } from '../world/fixtures.ts'
import type { Sent, World } from '../world/world.ts'
import type { Steps } from './step.ts'

/** Everything of the Hub, and what the control API only reads. */
function* routes(): Generator<DocumentedRoute> {
  for (const [key, endpoint] of Object.entries<HubTable[string]>({ ...hubApi, ...siteApi })) {
    const [method = ''] = key.split(' ')
    const { query, headers, body } = endpoint
    for (const { url, params } of pathsOf(key, endpoint)) {
      const schema = { params, querystring: query, headers, body }
      yield { method, url, schema, endpoint, actions: [] }
    }
  }
  for (const [key, endpoint] of Object.entries(controlApi)) {
    const [method = '', path = ''] = key.split(' ')
    // The response to `idle` comes when nothing happens any more: the simulator would wait for it.
    if (method !== 'GET' || path === 'idle') continue
    const { params, query, response } = endpoint as Record<string, unknown>
    const schema = { params, querystring: query, response: { 200: response } }
    yield { method, url: `/_sandbox/api/${path}`, schema, actions: [] }
  }
}

function operations() {
  const document = buildOpenApi([...routes()], { baseUrl: '', version: '' })
  return operationsOf(document as unknown as OpenApiDocument).filter(
    // A stream ends with its reader.
    ({ responses }) => !JSON.stringify(responses).includes('text/event-stream'),
  )
}

/** Names that exist from the start; later ones are taken from responses. */
const words: Harvest = new Map(
  Object.entries({
    // In an organization of others, she may only read what is public, discuss it and propose changes.
    namespace: [outsider.organization, outsider.organization, outsider.name, 'acme'],
    organization: [outsider.organization, 'acme'],
    owner: [outsider.organization, outsider.name],
    name: [outsider.repo, outsider.repo, 'corpus', 'secret'],
    repo: [`${outsider.organization}/${outsider.repo}`],
    username: [outsider.name, 'bob'],
    user: [outsider.name, 'bob'],
    path: ['main/README.md', 'README.md', 'main'],
    rev: ['main'],
    revision: ['main'],
    url: ['http://receiver.test/other'],
    client_id: [apps.public.id],
  }),
)

/** Request without a caller, from the schemas alone. */
type Draft = Pick<Request, 'path' | 'query' | 'body'>

function draftOf({ parameters = [], requestBody }: Operation): fc.Arbitrary<Draft> {
  const of = (place: string) =>
    parameters.flatMap(({ name, in: where, schema }) =>
      where === place ? [[name, fitting(schema).map(asText)] as const] : [],
    )
  const [content] = Object.entries(requestBody?.content ?? {})
  return fc.record({
    path: fc.record(Object.fromEntries(of('path'))),
    query: fc.record(Object.fromEntries(of('query')), { requiredKeys: [] }).map(Object.entries),
    body:
      content === undefined
        ? fc.constant(undefined)
        : fitting(content[1].schema).map((value) => ({ type: content[0], value })),
  }) as fc.Arbitrary<Draft>
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const all = operations()
/** Arbitraries by operation, each created for the first request of its operation. */
const drafts = new Map<Operation, fc.Arbitrary<Draft>>()

/** Puts known names in the place of most texts. */
function named(world: World, harvest: Harvest, value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    const known = [...(words.get(name) ?? []), ...(harvest.get(name) ?? [])]
    return known.length > 0 && world.random.chance(0.9) ? world.random.pick(known) : value
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => named(world, harvest, item, name))
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, named(world, harvest, member, key)]),
  )
}

function choose(world: World, operation: Operation, harvest: Harvest): Request {
  const arbitrary = drafts.get(operation) ?? draftOf(operation)
  drafts.set(operation, arbitrary)
  const [draft] = fc.sample(arbitrary, { numRuns: 1, seed: world.random.int(2 ** 31) })
  const { path, query, body } = draft as Draft
  return {
    operation: operation.name,
    path: {
      ...(named(world, harvest, path) as Request['path']),
      // Elsewhere a name is that of a repo.
      ...(operation.path.includes('/organizations/{name}') && { name: outsider.organization }),
    },
    query: query.map(([name, value]) => [name, named(world, harvest, value, name) as string]),
    headers: [],
    as: world.random.chance(0.9) ? `Bearer ${outsider.token}` : '',
    ...(body && { body: { ...body, value: named(world, harvest, body.value) } }),
  }
}

const harvests = new WeakMap<World, Map<string, Harvest>>()

/** Names of earlier responses of an area of the API: an `id` of another one would be that of another thing. */
function harvestOf(world: World, { path }: Operation): Harvest {
  const areas = harvests.get(world) ?? new Map<string, Harvest>()
  harvests.set(world, areas)
  const area = path.split('/').slice(0, 3).join('/')
  const harvest = areas.get(area) ?? new Map()
  areas.set(area, harvest)
  return harvest
}

async function send(world: World): Promise<void> {
  for (let count = 0; count < 8; count++) {
    const operation = world.random.pick(all)
    const harvest = harvestOf(world, operation)
    const step = choose(world, operation, harvest)
    const message = messageOf(step, harvest)
    if (isEndless(message) || isFolded(message)) continue
    const { method, url, headers, payload } = message
    const reply = await world.send(url, {
      method: method as NonNullable<Sent['method']>,
      headers,
      ...(payload !== undefined && { text: payload }),
    })
    if (String(reply.headers['content-type']).includes('json')) gather(harvest, reply.json())
  }
}

/** A user sends any request. She has an organization of her own, and cannot change what the facts are about. */
export const requestSteps: Steps = { 'any requests': { weight: 8, run: send } }
