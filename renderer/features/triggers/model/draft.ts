import type {
  EventDescription,
  TriggerRequest,
} from '../../../../server/contract/control-events.ts'
import { omitUndefined } from '../../../lib/omit-undefined.ts'
import type { TriggerMode } from '../../../../server/contract/words/sandbox-words.ts'

export interface DraftChange {
  id: number
  path: string
  /** Removed from the payload, instead of set. */
  remove: boolean
  value: string
}

/** Form fields of a trigger. */
export interface Draft {
  event: string
  kind: string
  repo: string
  mode: TriggerMode
  changes: readonly DraftChange[]
  times: string
}

export function toRequest(draft: Draft, description: EventDescription | undefined): TriggerRequest {
  const changes = draft.changes.filter(({ path }) => path !== '')
  const overrides = changes.filter(({ remove }) => !remove)
  const removed = changes.filter(({ remove }) => remove)
  const times = Number(draft.times)
  return omitUndefined({
    event: draft.event,
    repo: draft.repo,
    kind: draft.kind || undefined,
    mode: draft.mode === 'send' ? draft.mode : undefined,
    overrides:
      overrides.length > 0
        ? Object.fromEntries(
            overrides.map(({ path, value }) => [path, readValue(path, value, description)]),
          )
        : undefined,
    remove: removed.length > 0 ? removed.map(({ path }) => path) : undefined,
    repeat: Number.isInteger(times) && times > 1 ? { times } : undefined,
  })
}

/** Keeps text where the field is a string; otherwise parses it as JSON if possible. */
function readValue(path: string, text: string, description: EventDescription | undefined): unknown {
  if (description?.fields.find((field) => field.path === path)?.type === 'string') return text
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

export function fromRequest(request: TriggerRequest): Draft {
  const set = Object.entries(request.overrides ?? {}).map(([path, value]) => ({
    path,
    remove: false,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }))
  const removed = (request.remove ?? []).map((path) => ({ path, remove: true, value: '' }))
  return {
    event: request.event,
    kind: request.kind ?? '',
    repo: request.repo,
    mode: request.mode ?? 'do',
    changes: [...set, ...removed].map((change, id) => ({ ...change, id })),
    times: String(request.repeat?.times ?? 1),
  }
}

export interface EdgeCase {
  title: string
  changes: readonly { path: string; value: string; remove?: boolean }[]
}

/** Rare payloads for testing receivers. Payload only: no state has them. */
export const edgeCases: readonly EdgeCase[] = [
  { title: 'Unknown scope', changes: [{ path: 'event.scope', value: 'repo.config.dois' }] },
  {
    title: 'Hidden comment',
    changes: [
      { path: 'comment.hidden', value: 'true' },
      { path: 'comment.content', value: '', remove: true },
    ],
  },
  {
    title: 'Null SHAs',
    changes: [
      { path: 'updatedRefs', value: '[{"ref":"refs/heads/main","oldSha":null,"newSha":null}]' },
    ],
  },
  {
    title: 'Emoji title',
    changes: [{ path: 'discussion.title', value: '日本語 🏖️ “quotes” é' }],
  },
  { title: 'CRLF', changes: [{ path: 'comment.content', value: 'first\r\nsecond' }] },
  {
    title: '60 KB comment',
    changes: [{ path: 'comment.content', value: 'sand '.repeat(12_000) }],
  },
]
