import { expect, test } from 'vitest'
import { groupFindings, subjectOf } from '../../../renderer/features/findings/model/groups.ts'
import type { AdviceFinding } from '../../../server/contract/control-advice.ts'

const finding = (about: Partial<AdviceFinding>) => about as AdviceFinding

test('a finding about a webhook without a name has its host, or the id of a deleted one', () => {
  const id = '3d15b4bd5f97'
  const nameOf = (webhook: NonNullable<AdviceFinding['webhook']>) =>
    subjectOf(finding({ webhook })).name
  expect(nameOf({ id, name: 'ci', url: 'http://localhost:9/hook' })).toBe('ci')
  expect(nameOf({ id, url: 'http://localhost:9/hook' })).toBe('localhost:9')
  expect(nameOf({ id })).toBe(id)
  const names = new Map([[id, 'localhost:9/hook']])
  const all = [finding({ certainty: 'certain', webhook: { id, url: 'http://localhost:9/hook' } })]
  expect(groupFindings(all, (one, otherwise) => names.get(one) ?? otherwise)).toMatchObject([
    { name: 'localhost:9/hook', certain: all },
  ])
  expect(subjectOf(finding({ webhook: { id } })).path).toBe(`/webhooks/${id}/activity`)
})
