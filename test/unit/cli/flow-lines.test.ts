import { describe, expect, test } from 'vitest'
import { flowLines, flowSummary } from '../../../server/cli/flow-lines.ts'
import { requestLine } from '../../../server/cli/flows-command.ts'
import { createPaint } from '../../../server/cli/paint.ts'
import type { FlowDetail, FlowStep } from '../../../server/contract/control-flows.ts'

const step = (changes: Partial<FlowStep>): FlowStep => ({
  id: 'r',
  kind: 'message',
  from: 'app',
  to: 'hub',
  name: 'token request',
  at: '2026-01-02T03:04:05.000Z',
  sinceMs: 0,
  outcome: 'ok',
  ...changes,
})

const flow = (steps: FlowStep[], changes: Partial<FlowDetail> = {}): FlowDetail => ({
  id: 'r',
  kind: 'authorization-code',
  app: { clientId: 'c', name: 'My app' },
  startedAt: '2026-01-02T03:04:05.000Z',
  lastAt: '2026-01-02T03:04:06.000Z',
  outcome: 'refused',
  explanation: 'invalid_grant: The code is unknown.',
  actors: [
    { actor: 'app', name: 'My app' },
    { actor: 'hub', name: 'Hub' },
  ],
  steps,
  tokenIds: [],
  missing: [],
  ...changes,
})

const plain = createPaint(false)
const options = { width: 80, paint: plain }

describe('a sign-in in the terminal', () => {
  test.each([
    [{ denied: true }, 'denied'],
    [{ expired: true }, 'expired'],
    [{ outcome: 'pending' }, 'pending'],
    [{}, 'refused'],
  ] as const)('with %o is called %s, in the list, too', (changes, word) => {
    const signIn = flow([], changes)
    expect(flowLines(signIn, options)[0]).toMatch(new RegExp(`  ${word}$`))
    expect(flowSummary(signIn)[4]).toBe(word)
  })

  test('has a line for each step, and the reason below a failed one', () => {
    const lines = flowLines(
      flow([
        step({}),
        step({
          from: 'hub',
          to: 'app',
          name: 'error response',
          sinceMs: 1234,
          status: 400,
          error: 'invalid_grant',
          outcome: 'refused',
          explanation: 'The code is unknown.',
        }),
      ]),
      options,
    )
    expect(lines).toEqual([
      'Sign-in with a browser · My app  refused',
      'invalid_grant: The code is unknown.',
      '',
      '    +0 ms  My app → Hub  token request',
      '   +1.2 s  Hub → My app  error response  400 invalid_grant',
      '                         The code is unknown.',
    ])
  })

  test('has all polls on one line, whatever their number', () => {
    const polls = { count: 5000, list: [], intervalSeconds: 10, expiresAt: '2026-01-02T03:04:05Z' }
    const [, , , line] = flowLines(
      flow([step({ kind: 'polls', name: 'polls', polls, tookMs: 180_000, outcome: 'pending' })]),
      options,
    )
    expect(line).toContain('polls  × 5000, every 10 s, for 3 min')
  })

  test('names what is missing, and what the user of a device has to do', () => {
    const lines = flowLines(
      flow([step({})], {
        device: { userCode: 'ABCD-EFGH', verificationUri: 'http://hub/device', expiresAt: '' },
        missing: ['The log no longer has the first request of this sign-in.'],
      }),
      options,
    )
    expect(lines.slice(-2)).toEqual([
      'Pending: enter ABCD-EFGH at http://hub/device',
      'The log no longer has the first request of this sign-in.',
    ])
  })

  test.each([20, 40, 60, 100])('wraps explanations at %i columns', (width) => {
    const explanation = 'A word after another, until there is no more room for one. '.repeat(3)
    const lines = flowLines(flow([step({ explanation })]), {
      width,
      paint: plain,
      verbose: true,
    })
    const explained = lines.slice(4)
    expect(explained.map((line) => line.trim()).join(' ')).toBe(explanation.trim())
    expect(Math.max(...explained.map(({ length }) => length))).toBeLessThanOrEqual(
      Math.max(width, 40),
    )
  })

  test('escapes control characters of foreign texts', () => {
    const hostile = '\u001B[2J\u202Eevil\r\n\u0007'
    const lines = flowLines(
      flow([step({ name: hostile, error: hostile, explanation: hostile, outcome: 'refused' })], {
        app: { clientId: 'c', name: hostile },
        actors: [{ actor: 'app', name: hostile }],
        explanation: hostile,
      }),
      options,
    )
    const summary = flowSummary(flow([], { app: { clientId: 'c', name: hostile } }))
    const item = {
      id: 'r',
      at: '',
      endedAt: '',
      method: 'GET',
      path: `/${hostile}`,
      status: 404,
      durationMs: 1,
      error: 'not_found',
      detail: hostile,
    }
    const text = [...lines, ...summary, requestLine(item, plain)].join('|')
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
    expect(text).toContain('evil')
  })
})

test('shows the ignored parts of a successful request', () => {
  const item = { id: 'r', at: '', endedAt: '', method: 'POST', path: '/x', durationMs: 1 }
  expect(requestLine({ ...item, status: 200, detail: 'a remark' }, plain)).toMatch(
    /\n {4}a remark$/,
  )
  expect(requestLine({ ...item, status: 200 }, plain)).not.toContain('\n')
  const refused = { ...item, status: 400, error: 'bad', detail: 'why' }
  expect(requestLine(refused, plain)).toMatch(/\n {4}bad: why$/)
})

test('colours do not widen columns', () => {
  const coloured = flowLines(flow([step({})]), { ...options, paint: createPaint(true) })
  const stripped = coloured.map((line) => line.replaceAll('\u001B', '').replaceAll(/\[\d+m/g, ''))
  expect(stripped).toEqual(flowLines(flow([step({})]), options))
  expect(coloured).not.toEqual(stripped)
})
