import type {
  KnownEventName,
  KnownPayload,
  KnownScope,
  PayloadByEvent,
  WebhookPayload,
} from './payload.ts'

/** Event name for listeners: a scope, or scope and action. */
export type EventName = KnownEventName | KnownScope

/** Payload of an event name. */
export type PayloadFor<Name extends EventName> = Name extends KnownEventName
  ? PayloadByEvent[Name]
  : Extract<KnownPayload, { event: { scope: Name } }>

/** Every event that the hub documents. */
const knownEvents = [
  'repo.create',
  'repo.delete',
  'repo.move',
  'repo.update',
  'repo.content.update',
  'repo.config.update',
  'discussion.create',
  'discussion.update',
  'discussion.delete',
  'discussion.comment.create',
  'discussion.comment.update',
] as const satisfies KnownEventName[]

const knownEventSet: ReadonlySet<string> = new Set(knownEvents)

const isKnownEvent = (name: string): name is KnownEventName => knownEventSet.has(name)

// Every documented scope has an update.
function isKnownScope(scope: string): scope is KnownScope {
  return isKnownEvent(`${scope}.update`)
}

/** `repo.content.update` for scope `repo.content` and action `update`. */
function eventName(payload: WebhookPayload): string {
  return `${payload.event.scope}.${payload.event.action}`
}

/**
 * Checks for an event and narrows the type of its payload: `isEvent(payload, 'repo.content')`.
 * TypeScript cannot narrow a payload by comparing `payload.event.scope` itself.
 */
export function isEvent<Name extends EventName>(
  payload: WebhookPayload,
  name: Name,
): payload is PayloadFor<Name> {
  return name === payload.event.scope || name === eventName(payload)
}

/**
 * Converts an event of an unknown, narrower scope into an update of the nearest broader scope, as the Hub asks receivers to
 * do. Known events are returned unchanged.
 * @returns `undefined` if no known scope is broader
 */
export function broaden(payload: WebhookPayload): KnownPayload | undefined {
  if (isKnownScope(payload.event.scope)) return payload as KnownPayload
  const segments = payload.event.scope.split('.')
  for (let length = segments.length - 1; length > 0; length -= 1) {
    const scope = segments.slice(0, length).join('.')
    if (!isKnownScope(scope)) continue
    return { ...payload, event: { ...payload.event, scope, action: 'update' } } as KnownPayload
  }
  return undefined
}

/**
 * Checks the name of an event to listen to.
 * @throws {TypeError} for an event that the hub does not send: its handler would never run
 */
export function assertEventName(name: string): asserts name is EventName {
  if (isKnownEvent(name) || isKnownScope(name)) return
  const known = knownEvents.join(', ')
  throw new TypeError(
    `Unknown event "${name}". Use one of ${known}, or a scope alone; an endpoint() receives every event.`,
  )
}
