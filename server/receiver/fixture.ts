import { isObject } from '../core/is-object.ts'
import type { Complete, KnownEventName, KnownPayload, PayloadByEvent } from './payload.ts'
import { setOwn } from '../core/own.ts'

/** Parts of a payload to replace, as deep as needed; lists are replaced whole. */
export type Overrides<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Key in keyof T]?: Overrides<T[Key]> }
    : T

const hubUrl = 'http://localhost:7420'
const repoName = 'acme/corpus'
const headSha = '6f1c2a7e0d3b4c5988a1f2e3d4c5b6a798a9bacb'
const previousSha = '0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b'
const sendingUser = { id: '65a1b2c3d4e5f60718293a01' }
const repoOwner = { id: '65a1b2c3d4e5f60718293a02' }
const commentId = '65a1b2c3d4e5f60718293a05'

const repo = {
  type: 'dataset',
  name: repoName,
  id: '65a1b2c3d4e5f60718293a03',
  private: false,
  url: { web: `${hubUrl}/datasets/${repoName}`, api: `${hubUrl}/api/datasets/${repoName}` },
  owner: repoOwner,
} as const

const discussion = {
  id: '65a1b2c3d4e5f60718293a04',
  num: 1,
  title: 'A question',
  url: {
    web: `${hubUrl}/datasets/${repoName}/discussions/1`,
    api: `${hubUrl}/api/datasets/${repoName}/discussions/1`,
  },
  status: 'open',
  author: sendingUser,
  isPullRequest: false,
} as const

const comment = {
  id: commentId,
  author: sendingUser,
  content: 'How was this made?',
  hidden: false,
  url: { web: `${discussion.url.web}#${commentId}` },
}

const webhook = { id: '65a1b2c3d4e5f60718293a06', version: 3 } as const
const common = { repo: { ...repo, headSha }, webhook }
const community = { repo, webhook, discussion }

const payloads: { [Name in KnownEventName]: Complete<PayloadByEvent[Name]> } = {
  'repo.create': { event: { action: 'create', scope: 'repo' }, ...common },
  'repo.delete': { event: { action: 'delete', scope: 'repo' }, ...common },
  'repo.move': {
    event: { action: 'move', scope: 'repo' },
    ...common,
    movedTo: { name: 'acme/corpus-2', owner: repoOwner },
  },
  'repo.update': { event: { action: 'update', scope: 'repo' }, ...common },
  'repo.content.update': {
    event: { action: 'update', scope: 'repo.content' },
    ...common,
    updatedRefs: [{ ref: 'refs/heads/main', oldSha: previousSha, newSha: headSha }],
  },
  'repo.config.update': {
    event: { action: 'update', scope: 'repo.config' },
    ...common,
    updatedConfig: { private: true },
  },
  'discussion.create': { event: { action: 'create', scope: 'discussion' }, ...community, comment },
  'discussion.update': { event: { action: 'update', scope: 'discussion' }, ...community },
  'discussion.delete': { event: { action: 'delete', scope: 'discussion' }, ...community },
  'discussion.comment.create': {
    event: { action: 'create', scope: 'discussion.comment' },
    ...community,
    comment,
  },
  'discussion.comment.update': {
    event: { action: 'update', scope: 'discussion.comment' },
    ...community,
    comment,
  },
}

/** Names for `fixture`: every event that the Hub documents. */
export const payloadNames = Object.keys(payloads) as KnownEventName[]

/**
 * Returns a valid payload, as the Hub sends it: `fixture('discussion.create', { repo: { private: true } })`.
 * @throws {TypeError} for an event that the hub does not send
 */
export function fixture<Name extends KnownEventName>(
  name: Name,
  overrides: Overrides<PayloadByEvent[Name]> = {} as Overrides<PayloadByEvent[Name]>,
): Complete<PayloadByEvent[Name]> {
  if (!Object.hasOwn(payloads, name)) {
    throw new TypeError(`"${name}" is not one of ${payloadNames.join(', ')}.`)
  }
  return merge(structuredClone<KnownPayload>(payloads[name]), overrides) as Complete<
    PayloadByEvent[Name]
  >
}

function merge(base: unknown, overrides: unknown): unknown {
  if (!isObject(base) || !isObject(overrides)) return overrides
  const merged = { ...base }
  for (const [key, value] of Object.entries(overrides)) {
    setOwn(merged, key, Object.hasOwn(base, key) ? merge(base[key], value) : value)
  }
  return merged
}
