import { expect, test } from 'vitest'
import type { FlowItem } from '../../../server/contract/control-requests.ts'
import { filterFlows } from '../../../renderer/features/sign-ins/model/filter-flows.ts'

const flow = (id: string, changes: Partial<FlowItem> = {}): FlowItem => ({
  id,
  kind: 'authorization-code',
  startedAt: '2026-01-01T00:00:00.000Z',
  lastAt: '2026-01-01T00:00:00.000Z',
  outcome: 'completed',
  explanation: 'The app received its token.',
  requestCount: 0,
  requests: [],
  ...changes,
})

const flows = [
  flow('one', { app: { clientId: 'c-1', name: 'Team board' } }),
  flow('two', { kind: 'device-code', outcome: 'pending' }),
  flow('three', {
    outcome: 'refused',
    explanation: 'invalid_grant: The code had expired.',
    user: { id: 'u', username: 'Alice', avatarUrl: '' },
  }),
]

test.each([
  [{}, ['one', 'two', 'three']],
  [{ kind: 'device-code' }, ['two']],
  [{ outcome: 'refused' }, ['three']],
  [{ kind: 'device-code', outcome: 'refused' }, []],
  [{ text: 'TEAM' }, ['one']],
  [{ text: 'c-1' }, ['one']],
  [{ text: 'alice expired' }, ['three']],
  [{ text: 'expired  alice zebra' }, []],
  [{ text: 'device sign-in' }, ['two']],
] as const)('%o leaves %o', (filter, ids) => {
  const found = filterFlows(flows, { kind: '', outcome: '', text: '', ...filter })
  expect(found.map(({ id }) => id)).toEqual(ids)
})

test('without a filter the very list is given back: nothing is drawn anew', () => {
  expect(filterFlows(flows, { kind: '', outcome: '', text: '  ' })).toBe(flows)
})
