import { isObject } from '../../core/is-object.ts'
import { own } from '../../core/own.ts'

/** Sender of a call: the first user, another member, a user outside of the organization, or no user at all. */
export type Role = 'owner' | 'member' | 'outsider' | 'nobody'

/** Names that the calls of a tour need: `{model}`, `{file}`, … */
export type Names = Map<string, string>

/** A call of a tour. Names in braces are those that earlier calls have found. */
export interface Step {
  /** Method and path: `GET /api/models/{model}/refs`. */
  call: string
  /** Body, as JSON; texts in it may have names. */
  json?: unknown
  /** Body with one JSON value a line. */
  lines?: readonly unknown[]
  form?: Readonly<Record<string, string>>
  /** Body of bytes. */
  text?: string
  headers?: Readonly<Record<string, string>>
  /** Default: the owner. */
  as?: Role
  /** Names that the response gives, for later calls. A name that is known already stays. */
  finds?: Readonly<Record<string, (body: unknown, headers: Headers) => unknown>>
}

/** A call with its names filled in. */
export interface Sent {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
  as: Role
}

/** Response to a step, or the name for want of which it was not sent. */
export type Visit =
  | { step: Step; sent: Sent; status: number; headers: Headers; body: unknown; text: string }
  | { step: Step; lacks: string }

/** Sends a request. Redirects are not followed. @throws for a host that does not respond */
export type Send = (sent: Sent) => Promise<{ status: number; headers: Headers; text: string }>

/** Sends the steps one after the other; one whose names nobody found is left out. */
export async function runTour(
  steps: readonly Step[],
  { send, names }: { send: Send; names: Names },
): Promise<readonly Visit[]> {
  const visits: Visit[] = []
  for (const step of steps) visits.push(await visit(step, send, names))
  return visits
}

/** Sends one step, and notes the names that its response gives. */
export async function visit(step: Step, send: Send, names: Names): Promise<Visit> {
  const lacks = namesOf(step).find((name) => !names.has(name))
  if (lacks !== undefined) return { step, lacks }
  const sent = fillStep(step, names)
  const { status, headers, text } = await send(sent)
  const body = parse(text, headers)
  for (const [name, find] of Object.entries(status < 400 ? (step.finds ?? {}) : {})) {
    const found = find(body, headers)
    if (!names.has(name) && (typeof found === 'string' || typeof found === 'number')) {
      names.set(name, String(found))
    }
  }
  return { step, sent, status, headers, body, text }
}

/** Tells whether a media type is JSON as a whole, not line by line. */
export function isJsonType(type: string | null): boolean {
  return /^application\/([\w.-]+\+)?json\b/.test(type ?? '')
}

function parse(text: string, headers: Headers): unknown {
  if (!isJsonType(headers.get('content-type'))) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const named = /\{(\w+)\}/g

function namesOf({ call, json, lines, form, headers }: Step): readonly string[] {
  const text = [call, JSON.stringify([json, lines, form, headers])].join(' ')
  return [...text.matchAll(named)].map(([, name = '']) => name)
}

function fillStep(step: Step, names: Names): Sent {
  const { call, headers = {}, as = 'owner' } = step
  const fill = (text: string) => text.replaceAll(named, (_, name: string) => names.get(name) ?? '')
  const fillAll = (value: unknown): unknown => {
    if (typeof value === 'string') return fill(value)
    if (Array.isArray(value)) return value.map(fillAll)
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fillAll(one)]))
  }
  const [method = '', path = ''] = call.split(' ')
  const content = contentOf(step, fillAll)
  return {
    method,
    path: fill(path),
    as,
    headers: {
      ...(content !== undefined && { 'content-type': content.type }),
      ...(fillAll(headers) as Record<string, string>),
    },
    ...(content !== undefined && { body: content.body }),
  }
}

function contentOf(
  { json, lines, form, text }: Step,
  fill: (value: unknown) => unknown,
): { type: string; body: string } | undefined {
  if (text !== undefined) return { type: 'application/octet-stream', body: text }
  if (lines !== undefined) {
    const body = lines.map((line) => JSON.stringify(fill(line))).join('\n')
    return { type: 'application/x-ndjson', body }
  }
  if (form !== undefined) {
    const body = new URLSearchParams(fill(form) as Record<string, string>).toString()
    return { type: 'application/x-www-form-urlencoded', body }
  }
  return json === undefined
    ? undefined
    : { type: 'application/json', body: JSON.stringify(fill(json)) }
}

/** Reads a value within a body by its path: `0.author.name`. */
export function at(path: string): (body: unknown) => unknown {
  return (body) =>
    path
      .split('.')
      .reduce<unknown>(
        (value, name) =>
          Array.isArray(value)
            ? value[Number(name)]
            : isObject(value)
              ? own(value, name)
              : undefined,
        body,
      )
}
