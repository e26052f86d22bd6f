import { expect, test } from 'vitest'
import {
  filterFlows,
  subjectOfFlow,
  unknownChoices,
} from '../../../renderer/features/sign-ins/model/filter-flows.ts'
import { flowItem } from '../../helpers/query-items.ts'

const flows = [
  flowItem({ id: 'one' }),
  flowItem({ id: 'two', kind: 'device-code', outcome: 'pending' }),
  flowItem({ id: 'three', outcome: 'refused' }),
  flowItem({ id: 'four', outcome: 'refused', denied: true }),
  flowItem({ id: 'five', outcome: 'refused', expired: true }),
  flowItem({ id: 'six', outcome: 'refused', audit: true }),
]

test.each([
  [{}, ['one', 'two', 'three', 'four', 'five']],
  [{ outcome: 'denied' }, ['four']],
  [{ outcome: 'expired' }, ['five']],
  [{ outcome: 'refused', audited: true }, ['three', 'six']],
  [{ outcome: 'lost' }, []],
  [{ kind: 'device-code' }, ['two']],
  [{ outcome: 'refused' }, ['three']],
  [{ kind: 'device-code', outcome: 'refused' }, []],
] as const)('the menus %o leave %o', (filter, ids) => {
  const found = filterFlows(flows, { kind: '', outcome: '', audited: false, ...filter })
  expect(found.map(({ id }) => id)).toEqual(ids)
})

test('without a filter the same list is returned, so that nothing is drawn again', () => {
  const plain = flows.slice(0, 5)
  expect(filterFlows(plain, { kind: '', outcome: '', audited: false })).toBe(plain)
})

test('an unknown choice is named with those that exist', () => {
  expect(unknownChoices({ kind: '', outcome: 'denied' })).toEqual([])
  expect(unknownChoices({ kind: '', outcome: 'lost' })).toEqual([
    'Unknown outcome "lost": use pending, completed, refused, denied, expired.',
  ])
})

test('the title of a kind is searched', () => {
  expect(subjectOfFlow(flowItem({ kind: 'device-code' })).text()).toContain('Device sign-in')
})
