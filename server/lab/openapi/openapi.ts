import {
  type AccessAction,
  type AccessRule,
  accessRules,
  isOpen,
} from '../../hub/access/access-rules.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Media } from '../../contract/control.ts'
import { HubErrorBody } from '../../contract/hub.ts'
import type { HubEndpoint } from '../../contract/hub-endpoint.ts'
import { own, setOwn } from '../../core/own.ts'
import { sessionCookie } from '../../hub/http/session-cookie.ts'

const formType = 'application/x-www-form-urlencoded'

/** Ways to authenticate. */
const securitySchemes = {
  token: { type: 'http', scheme: 'bearer', description: 'Access token of an app or a user' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookie,
    description:
      'A browser that is signed in; `POST /_sandbox/api/sessions` makes one. Browsers have it under this name and the port (`hub_sandbox_session_7420`); programs may leave the port out, or send it as `token`',
  },
  client: {
    type: 'http',
    scheme: 'basic',
    description: '`client_id` and `client_secret` of an app (RFC 6749 §2.3.1)',
  },
  git: { type: 'http', scheme: 'basic', description: 'An access token for the password' },
  control: {
    type: 'http',
    scheme: 'bearer',
    description: 'The control token, where the sandbox asks for one',
  },
}

/** Parameter of a path and its alternatives. */
const parameter = /:(\w+)(?:\([^)]*\))?/g

/** Registered route. */
export interface DocumentedRoute {
  method: string
  url: string
  schema: RouteSchema
  /** Its row in the table of the Hub, unless it is a route of the control API. */
  endpoint?: HubEndpoint
  /** Actions of the access rules, which decide the scopes. */
  actions: readonly AccessAction[]
}

interface RouteSchema {
  summary?: string
  description?: string
  tags?: readonly string[]
  body?: unknown
  querystring?: unknown
  params?: unknown
  headers?: unknown
  response?: unknown
}

/** Part of JSON Schema that parameters use. */
interface ObjectSchema {
  properties?: Record<string, { description?: string }>
  required?: string[]
}

interface BodySchema {
  required?: string[]
  /** Media type of a body that is neither a form nor JSON. */
  contentMediaType?: string
}

interface ResponseSchema {
  type?: string
  description?: string
  /** Absent = JSON. */
  contentMediaType?: string
  anyOf?: readonly ResponseSchema[]
}

/**
 * Builds the OpenAPI 3.1 document of all routes. Their schemas are JSON Schema already and are used unchanged.
 */
export function buildOpenApi(
  routes: readonly DocumentedRoute[],
  { baseUrl, version }: { baseUrl: string; version: string },
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const { method, url } = route
    const path = documentedPath(url)
    const operations = own(paths, path) ?? {}
    setOwn(paths, path, operations)
    setOwn(operations, method.toLowerCase(), describeOperation(route))
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'hub-sandbox',
      version,
      description: 'The emulated hub, and the control API of the sandbox under /_sandbox/.',
    },
    servers: [{ url: baseUrl }],
    paths,
    components: { securitySchemes },
  }
}

/** `/api/:types(models|datasets)/*` → `/api/{types}/{path}` */
export function documentedPath(url: string): string {
  return url.replaceAll(parameter, '{$1}').replace(/\*$/, '{path}')
}

function describeOperation({
  method,
  url,
  schema,
  endpoint,
  actions,
}: DocumentedRoute): Record<string, unknown> {
  const { summary, description } = endpoint ?? schema
  const tags = endpoint === undefined ? schema.tags : [endpoint.tag]
  const { unchecked = {} } = endpoint ?? {}
  return {
    operationId: operationId(method, url),
    ...omitUndefined({ summary, description }),
    tags,
    parameters: [
      ...pathParameters(url, schema.params),
      ...parameters('query', unchecked.query ?? schema.querystring),
      ...parameters('header', schema.headers),
    ],
    ...omitUndefined({ requestBody: requestBody(unchecked, schema.body) }),
    ...(actions.length > 0 && { 'x-scopes': scopesOf(actions) }),
    // Public routes need no authentication, and the schemas do not say which others need it.
    security: [{}, ...waysToSay(method, url).map((way) => ({ [way]: [] }))],
    responses: responses(endpoint === undefined ? schema.response : responsesOf(endpoint)),
  }
}

/** Returns the responses of an endpoint of the Hub by their status. */
function responsesOf({
  status,
  response,
  otherwise,
  access,
  refusal = HubErrorBody,
}: HubEndpoint): Record<string, unknown> {
  return {
    ...(response !== undefined && { [status ?? 200]: response }),
    ...(access?.repoAction !== undefined && { 307: movedRepo }),
    ...otherwise,
    ...(refusal !== false && { default: refusal }),
  }
}

const movedRepo = Media('text/plain', 'Redirect to the current name')

/**
 * Returns the needs of each action of a route: lists of scopes of which one is enough; `null` where no scope permits it.
 * The target and its owner decide which actions a request is, and what else it needs.
 */
function scopesOf(actions: readonly AccessAction[]) {
  return Object.fromEntries(
    actions.map((action) => {
      const { scopes }: Partial<AccessRule> = accessRules[action]
      return [action, scopes ?? (isOpen(action) ? [] : null)]
    }),
  )
}

function waysToSay(method: string, url: string): (keyof typeof securitySchemes)[] {
  if (url.startsWith('/_sandbox')) return ['control']
  if (method === 'POST' && /^\/oauth\/(?:token|device)$/.test(url)) return ['client']
  return /\/(?:info\/(?:refs|lfs\/.*)|git-(?:upload|receive)-pack)$/.test(url)
    ? ['git']
    : ['token', 'session']
}

/** @returns `undefined` for a route without a body */
function requestBody(
  { form, json, bytes }: Partial<Record<'form' | 'json' | 'bytes', BodySchema>>,
  body: unknown,
): object | undefined {
  const shapes: [type: string, shape: BodySchema | undefined][] = [
    [formType, form],
    ['application/json', json ?? (body as BodySchema | undefined)],
    [bytes?.contentMediaType ?? 'application/octet-stream', bytes],
  ]
  const bodies = shapes.flatMap(([type, schema]) =>
    schema === undefined ? [] : [{ type, schema }],
  )
  if (bodies.length === 0) return undefined
  return {
    // An empty body is a valid form without parameters, but not valid JSON.
    required: bodies.every(({ type, schema }) =>
      type === formType ? (schema.required ?? []).length > 0 : !('~optional' in schema),
    ),
    content: Object.fromEntries(bodies.map(({ type, schema }) => [type, { schema }])),
  }
}

/** `get_apps_clientId_secret`: unique, since method and address are. */
function operationId(method: string, url: string): string {
  const words = url
    .replaceAll(parameter, '$1')
    .replace(/\*$/, 'path')
    .split(/[^A-Za-z0-9]+/)
  return [method.toLowerCase(), ...words.filter((word) => word !== '')].join('_')
}

function pathParameters(url: string, schema: unknown): unknown[] {
  const { properties = {} } = (schema ?? {}) as ObjectSchema
  const names = [...url.matchAll(/:(\w+)|(\*)$/g)].map((match) => match[1] ?? '*')
  return names.map((name) => ({
    name: name === '*' ? 'path' : name,
    in: 'path',
    required: true,
    schema: own(properties, name) ?? { type: 'string' },
  }))
}

function parameters(where: 'query' | 'header', schema: unknown): unknown[] {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: required.includes(name),
    ...omitUndefined({ description: property.description }),
    schema: property,
  }))
}

function responses(response: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries((response ?? {}) as Record<string, ResponseSchema>).map(([status, schema]) => [
      status === 'default' ? status : status.toUpperCase(),
      {
        description: schema.description ?? (/^[45]/.test(status) ? 'Refusal' : 'Success'),
        ...(schema.type === 'null'
          ? {}
          : {
              content: Object.fromEntries(
                mediaOf(schema).map((media) => [
                  media.contentMediaType ?? 'application/json',
                  { schema: media },
                ]),
              ),
            }),
      },
    ]),
  )
}

/** Returns the alternatives of a response that is JSON or another type. */
function mediaOf(schema: ResponseSchema): readonly ResponseSchema[] {
  const { anyOf = [] } = schema
  return anyOf.some(({ contentMediaType }) => contentMediaType !== undefined) ? anyOf : [schema]
}
