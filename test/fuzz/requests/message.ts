import type { Step } from './steps.ts'

/** Values of earlier responses by member name. */
export type Harvest = Map<string, string[]>

/** A request as it is sent. */
export interface Message {
  method: string
  url: string
  headers: Record<string, string>
  payload?: string
}

/** Statuses that are no failure of the server: not emulated, unreachable, closing, not idle in time. */
export const foreseen: ReadonlySet<number> = new Set([501, 502, 503, 504])

/** Returns true for a request whose response goes on for as long as somebody reads. */
export const isEndless = ({ url }: Message): boolean =>
  /[?&]follow=/.test(url) || url.startsWith('/_sandbox/api/idle')

/** Clients take such parts out of a path, `inject` among them: what is sent then is another operation's. */
export const isFolded = ({ url }: Message): boolean => /\/\.{1,2}(?:[/?]|$)/.test(url)

const kept = 20

/** Keeps what an answer has, so that later requests can name it. */
export function gather(harvest: Harvest, value: unknown, name = ''): void {
  if (typeof value === 'string' || typeof value === 'number') {
    const known = harvest.get(name) ?? []
    known.push(String(value))
    harvest.set(name, known.slice(-kept))
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      gather(harvest, member, Array.isArray(value) ? name : key)
    }
  }
}

/** The sandbox calls one thing by two names, on the wire and inside. */
const aliases: Readonly<Record<string, string>> = {
  userCode: 'user_code',
  user_code: 'userCode',
  client_id: 'clientId',
  clientId: 'client_id',
  webhookId: 'id',
  logId: 'id',
  flowId: 'id',
  eventId: 'id',
  step: 'number',
}

function fill(template: string, harvest: Harvest): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const values = harvest.get(name) ?? harvest.get(aliases[name] ?? '') ?? []
    return values.at(-1 - (template.length % Math.max(values.length, 1))) ?? whole
  })
}

function fillAll(value: unknown, harvest: Harvest): unknown {
  if (typeof value === 'string') return fill(value, harvest)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => fillAll(item, harvest))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, fillAll(member, harvest)]),
  )
}

function bodyText({ type, value, change }: NonNullable<Step['body']>, harvest: Harvest): string {
  const filled = fillAll(value, harvest)
  const whole = type.includes('urlencoded') ? formText(filled) : (JSON.stringify(filled) ?? '')
  switch (change?.kind) {
    case 'cut':
      return whole.slice(0, change.at)
    case 'deep':
      return '['.repeat(change.levels) + whole + ']'.repeat(change.levels)
    case 'twice':
      return type.includes('urlencoded') ? `${whole}&${whole}` : whole + whole
    default:
      return whole
  }
}

function formText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const pairs = Object.entries(value).flatMap(([name, member]) =>
    [member]
      .flat()
      .map((item): [string, string] => [
        name,
        typeof item === 'string' ? item : (JSON.stringify(item) ?? ''),
      ]),
  )
  return String(new URLSearchParams(pairs))
}

/** Header value that Node accepts: one character per byte. */
const headerText = (text: string) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')

/** A URL holds no half of a character. */
const wellFormed = (text: string) => Buffer.from(text).toString('utf8')

/** The request of a step, its references filled in. */
export function messageOf(step: Step, harvest: Harvest): Message {
  const [method = '', template = ''] = step.operation.split(' ')
  const path = template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(wellFormed(fill(step.path[name] ?? '', harvest))),
  )
  const query = new URLSearchParams(step.query.map(([name, value]) => [name, fill(value, harvest)]))
  const headers: Record<string, string> = { host: 'localhost' }
  for (const [name, value] of step.headers) headers[name] = headerText(fill(value, harvest))
  if (step.as === 'session') headers['cookie'] = headerText(fill('{{cookie}}', harvest))
  else if (step.as !== '') headers['authorization'] = headerText(fill(step.as, harvest))
  if (step.body !== undefined && step.body.type !== '') headers['content-type'] = step.body.type
  return {
    method,
    url: query.size === 0 ? path : `${path}?${query}`,
    headers,
    ...(step.body === undefined ? {} : { payload: bodyText(step.body, harvest) }),
  }
}
