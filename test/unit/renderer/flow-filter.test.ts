import { expect, test } from 'vitest'
import {
  filterFlows,
  subjectOfFlow,
} from '../../../renderer/features/sign-ins/model/filter-flows.ts'
import { flowItem } from '../../helpers/query-items.ts'

const flows = [
  flowItem({ id: 'one' }),
  flowItem({ id: 'two', kind: 'device-code', outcome: 'pending' }),
  flowItem({ id: 'three', outcome: 'refused' }),
]

test.each([
  [{}, ['one', 'two', 'three']],
  [{ kind: 'device-code' }, ['two']],
  [{ outcome: 'refused' }, ['three']],
  [{ kind: 'device-code', outcome: 'refused' }, []],
] as const)('the menus %o leave %o', (filter, ids) => {
  const found = filterFlows(flows, { kind: '', outcome: '', ...filter })
  expect(found.map(({ id }) => id)).toEqual(ids)
})

test('without a filter the same list is returned, so that nothing is drawn again', () => {
  expect(filterFlows(flows, { kind: '', outcome: '' })).toBe(flows)
})

test('the title of a kind is searched', () => {
  expect(subjectOfFlow(flowItem({ kind: 'device-code' })).text()).toContain('Device sign-in')
})
