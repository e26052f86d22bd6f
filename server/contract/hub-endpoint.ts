import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Sent } from './sent.ts'
import { repoTypes } from './words/hub-words.ts'
import { text } from './plain-fields.ts'

/** An endpoint of the Hub: a row of `hubApi` or `siteApi`. */
export interface HubEndpoint {
  summary: string
  description?: string
  /** Group in the OpenAPI document. */
  tag: string
  /** Feature on the coverage page. Default: the tag. */
  feature?: string
  /** Actions of the access rules; absent for pages and endpoints that check the caller themselves. */
  access?: EndpointAccess
  /** Schemas of the parameters of the path, except those of `:repo` and `:types`. */
  params?: Readonly<Record<string, TSchema>>
  query?: TSchema
  headers?: TSchema
  body?: TSchema
  /** Input that the handler parses itself. */
  unchecked?: UncheckedInput
  /** Largest body, in bytes. Default: 1 MiB. */
  bodyLimit?: number
  /** Status of a successful response; default 200. */
  status?: 201 | 202
  /** Body of a successful response; absent if there is none. */
  response?: TSchema
  /** Responses with other statuses, except refusals and redirects to the current name of a repo. */
  otherwise?: Readonly<Record<number, TSchema>>
  /** Body of a refusal; default: that of the Hub's API. `false` = it refuses nothing. */
  refusal?: TSchema | false
}

/** Actions of the access rules, by their names there. */
export interface EndpointAccess {
  /** Action on the repo of the URL. */
  repoAction?: string
  /** Type of the repo if the URL has no parameter for it. Default: model. */
  repoType?: string
  /** Action on the caller's own account. */
  accountAction?: string
  /** Refuses anonymous callers before their body is checked. */
  needsUser?: true
  /** Actions that the handler permits, once it knows their target. */
  actions?: readonly [string, ...string[]]
}

/** Input that the handler parses itself, by its form. */
export interface UncheckedInput {
  query?: TSchema
  form?: TSchema
  json?: TSchema
  /** Body of the media type in `contentMediaType`. */
  bytes?: TSchema
}

export type HubTable = Readonly<Record<string, HubEndpoint>>

interface RepoParams {
  types: string
  namespace: string
  name: string
}

/** Parameters of the path of an endpoint. */
export type HubParams<E extends HubEndpoint, Key extends string> = (E extends {
  params: infer P extends Readonly<Record<string, TSchema>>
}
  ? { [N in keyof P]: Static<P[N]> }
  : unknown) &
  (Key extends `${string}:repo${string}` ? RepoParams : unknown) &
  (Key extends `${string}:types${string}` ? Pick<RepoParams, 'types'> : unknown)

/** A checked part of the input of an endpoint. */
export type HubInput<E extends HubEndpoint, Part extends 'query' | 'headers' | 'body'> =
  E extends Record<Part, infer Shape extends TSchema>
    ? Static<Shape> | (Shape extends { '~optional': true } ? undefined : never)
    : Part extends 'query'
      ? Readonly<Record<string, unknown>>
      : unknown

/** Body that a handler can return: that of success, or of another status that is not a refusal. */
export type HubResponse<E extends HubEndpoint> =
  | (E extends { response: infer Shape extends TSchema } ? Sent<Static<Shape>> : never)
  | (E extends { otherwise: Record<number, infer Shape extends TSchema> }
      ? Sent<Static<Shape>>
      : never)

const typeWords = repoTypes.map((type) => `${type}s`)
/** Outside of the API, models have no word in the path. */
const webTypeWords = typeWords.filter((word) => word !== 'models')
const namespace = text('User or organization')
const name = Type.String()
const typeIn = (words: string[]) => Type.String({ enum: words })

/** A path of an endpoint as the router takes it, and the schema of its parameters. */
export interface HubPath {
  url: string
  params: TObject
}

/**
 * Returns the paths of an endpoint. `:repo` is a repo of any type: `models/acme/tiny` in the API, and outside of it
 * `acme/tiny`, `datasets/acme/tiny` or `spaces/acme/tiny`. `:types` is a type of repos. Integers match digits only.
 * @param key method and path, such as `GET /api/:repo/refs`
 */
export function pathsOf(key: string, { params = {} }: HubEndpoint): readonly HubPath[] {
  const integers = new Set(
    Object.entries(params).flatMap(([param, schema]) =>
      'type' in schema && schema.type === 'integer' ? [param] : [],
    ),
  )
  const path = key
    .slice(key.indexOf(' ') + 1)
    .replaceAll(/:(\w+)/g, (whole, param: string) =>
      integers.has(param) ? `${whole}(\\d+)` : whole,
    )
  const types = typeIn(typeWords)
  const anyType = `:types(${typeWords.join('|')})`
  if (path.includes('/:types')) {
    const url = path.replace(':types', anyType)
    return [{ url, params: Type.Object({ types, ...params }) }]
  }
  if (!path.includes('/:repo')) return [{ url: path, params: Type.Object(params) }]
  const named = ':namespace/:name'
  if (path.startsWith('/api/')) {
    const url = path.replace(':repo', `${anyType}/${named}`)
    return [{ url, params: Type.Object({ types, namespace, name, ...params }) }]
  }
  return [
    { url: path.replace(':repo', named), params: Type.Object({ namespace, name, ...params }) },
    {
      url: path.replace(':repo', `:types(${webTypeWords.join('|')})/${named}`),
      params: Type.Object({ types: typeIn(webTypeWords), namespace, name, ...params }),
    },
  ]
}
